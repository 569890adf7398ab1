-- A specification that gets a limit for the first time, or changes how it sells, begins another counter.
create or replace function goods_specs_begin_counter() returns trigger language plpgsql as $$
begin
  new.counter := old.counter + 1;
  return new;
end $$;
