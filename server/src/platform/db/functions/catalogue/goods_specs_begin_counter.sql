-- A value with a limit that had none before, or that sells otherwise, begins another counter.
create or replace function goods_specs_begin_counter() returns trigger language plpgsql as $$
begin
  new.counter := old.counter + 1;
  return new;
end $$;
