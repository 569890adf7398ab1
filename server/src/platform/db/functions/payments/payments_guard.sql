-- An ended payment never changes, except for the provider's number when money arrives for a payment that was not paid.
create or replace function payments_guard() returns trigger language plpgsql as $$
begin
  if old.state in ('closed', 'failed') then
    old.provider_ref := new.provider_ref;
  end if;
  if (old.state <> 'pending' and new is distinct from old) or new.amount <> old.amount or new.currency <> old.currency then
    raise exception 'payment % does not change', old.payment_no using errcode = '55000';
  end if;
  return new;
end $$;
