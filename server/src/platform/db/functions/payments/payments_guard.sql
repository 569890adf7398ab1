-- An ended payment never changes.
create or replace function payments_guard() returns trigger language plpgsql as $$
begin
  if old.state <> 'pending' or new.amount <> old.amount or new.currency <> old.currency then
    raise exception 'payment % does not change', old.payment_no using errcode = '55000';
  end if;
  return new;
end $$;
