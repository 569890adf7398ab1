-- Only the provider may refund money while the payment is disputed.
create or replace function refuse_refund_while_disputed() returns trigger language plpgsql as $$
begin
  if (select disputed from orders where id = new.order_id) then
    raise exception '43024' using errcode = 'SHOPE';
  end if;
  return new;
end $$;
