create or replace function payment_countries_erase() returns trigger language plpgsql as $$
begin
  delete from payment_countries where payment_id in (select id from payments where user_id = new.id);
  return null;
end $$;
