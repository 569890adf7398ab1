-- What an order has of a value that sells many times stays once it is delivered, and no order gets more than it has taken.
create or replace function shared_code_orders_guard() returns trigger language plpgsql as $$
begin
  if old.text_id is not null or new.order_id <> old.order_id or new.spec_id <> old.spec_id or new.quantity > old.quantity
      or (new.text_id is not null and new.quantity <> old.quantity) then
    raise exception 'order % has its text already, or would get more of it', old.order_id using errcode = '55000';
  end if;
  return new;
end $$;
