import { mutantsOf } from './sql-mutants';

const file = `-- Takes one < two.
create function take(p_id bigint default 1) returns void language plpgsql set enable_seqscan = off as $$
begin
  v_left := v_left - 1;
  select * from stock where id = p_id and (state = 0 or state = 'a < b') and held ->> 'by' = 'a' for update skip locked;
  if v_left < 0 and v_id between 1 and 3 then
    raise exception 'none; left' using errcode = 'SHOPE';
  end if;
  perform book(amount => v_left);
end $$;`;

test('a mutant is one change of a body, not of comments, texts and heads', () => {
  const changes = mutantsOf(file).map(({ line, from, to }) => `${line}: ${from.trim()} → ${to}`);
  expect(changes).toEqual([
    '4: v_left - 1 → v_left + 1',
    '5: id = p_id and → ',
    '5: id = p_id → id <> p_id',
    "5: and (state = 0 or state = 'a < b') → ",
    '5: state = 0 → state <> 0',
    "5: state = 'a → state <> 'a",
    "5: and held ->> 'by' = 'a' → ",
    "5: by' = 'a → by' <> 'a",
    '5: for update skip locked → ',
    '6: v_left < 0 and → ',
    '6: v_left < 0 → v_left <= 0',
    '6: and v_id between 1 and 3 → ',
    "7: raise exception 'none; left' using errcode = 'SHOPE'; → null;",
    "7: errcode = 'SHOPE → errcode <> 'SHOPE",
  ]);
});

test('the text of a mutant has its change only', () => {
  const drop = mutantsOf(file).find(({ from }) => from.includes('for update'));
  expect(drop?.text).toBe(file.replace(' for update skip locked', ''));
});
