-- The text that an order has of a specification sold many times is immutable after delivery, and no order gets more pieces than
-- it has reserved.
create or replace function shared_code_orders_guard() returns trigger language plpgsql as $$
begin
  if old.text_id is not null or new.order_id <> old.order_id or new.spec_id <> old.spec_id or new.quantity > old.quantity
      or (new.text_id is not null and new.quantity <> old.quantity) then
    raise exception 'order % has its text already, or would get more of it', old.order_id using errcode = '55000';
  end if;
  return new;
end $$;
