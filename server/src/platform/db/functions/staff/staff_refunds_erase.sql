-- Of a person who is erased no words stay.
create or replace function staff_refunds_erase() returns trigger language plpgsql as $$
begin
  update staff_refunds set reason = '' where order_id in (select id from orders where user_id = new.id);
  update staff_wallet_acts set reason = '' where user_id = new.id;
  return null;
end $$;
