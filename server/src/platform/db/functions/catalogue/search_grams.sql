-- Every substring of one to three characters of every word between the bars; "^" and the first one to three characters of the
-- word; "=" and the whole word. A word after "~" only repeats others with blanks between their parts. A search can look these up
-- in an index, in any language and under any collation.
create or replace function search_grams(p_text text) returns text[] language plpgsql immutable strict parallel safe as $$
declare
  v_word text;
  v_grams text[] := '{}';
begin
  foreach v_word in array string_to_array(p_text, '|') loop
    continue when v_word = '' or starts_with(v_word, '~');
    v_grams := v_grams || ('=' || v_word);
    for v_size in 1 .. least(3, char_length(v_word)) loop
      v_grams := v_grams || ('^' || left(v_word, v_size));
      for v_at in 1 .. char_length(v_word) - v_size + 1 loop
        v_grams := v_grams || substr(v_word, v_at, v_size);
      end loop;
    end loop;
  end loop;
  return array(select distinct unnest(v_grams));
end $$;
