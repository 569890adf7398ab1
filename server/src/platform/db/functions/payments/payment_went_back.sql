-- Books that p_amount of a payment went back to its payer through the account p_through: first as a refund of the order that it
-- paid, as far as that was not refunded; then out of the wallet. The amount that the wallet lacks is the shop's loss, which is
-- returned. The caller has locked the order's row and the payment's.
create or replace function payment_went_back(p_payment payments, p_amount bigint, p_through text, p_number text) returns bigint
language plpgsql as $$
declare
  o orders;
  v_part bigint := 0;
  v_rest bigint;
  v_taken bigint;
  v_whole boolean;
  v_units integer;
begin
  select * into o from orders where id = p_payment.order_id and payment_id = p_payment.id and status in ({OrderStatus.Paid}, {OrderStatus.Finished});
  if found then
    v_part := least(p_amount, o.total_amount - o.refunded_amount);
  end if;
  if v_part > 0 then
    v_whole := v_part = o.total_amount - o.refunded_amount
      and not exists (select 1 from supplier_requests where order_id = o.id and state = {RequestState.Open});
    v_units := case when v_whole then o.quantity - o.refunded_quantity else 0 end;
    insert into order_refunds (refund_no, order_id, amount, quantity, target, reason, actor)
      values (p_number, o.id, v_part, v_units, 'source', '', 'provider');
    perform shop_post(2, p_payment, o.id, 'sales', p_through, v_part, p_payment.payment_no);
    perform order_refunded(o.id, v_part, v_units, v_whole, 'source', '', 'provider');
  end if;
  v_rest := p_amount - v_part;
  if v_rest = 0 then
    return 0;
  end if;
  insert into wallets (user_id, currency) values (p_payment.user_id, p_payment.currency) on conflict do nothing;
  select least(balance, v_rest) into v_taken from wallets
    where user_id = p_payment.user_id and currency = p_payment.currency for update;
  if v_taken > 0 then
    perform wallet_post(p_payment.user_id, p_payment.currency, 3, -v_taken, 0, p_through, null, null, null,
      p_payment.payment_no, 'provider');
  end if;
  if v_rest > v_taken then
    perform shop_post(6, p_payment, null, 'loss', p_through, v_rest - v_taken, p_payment.payment_no);
  end if;
  return v_rest - v_taken;
end $$;
