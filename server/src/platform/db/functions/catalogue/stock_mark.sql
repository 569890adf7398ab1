-- The stock level that visitors see: 0 out, 1 in, 2 low. Null means unlimited.
create or replace function stock_mark(p_left bigint) returns integer language sql immutable as $$
  select case when p_left is null or p_left > 10 then 1 when p_left > 0 then 2 else 0 end;
$$;
