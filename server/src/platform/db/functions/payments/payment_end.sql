-- Books a provider's report about a payment, already verified. Returns where the money went: 'duplicate', 'failed', 'order',
-- 'recharge', or 'wallet' (the order was closed or paid already). Money that arrives for a payment which had failed or was closed
-- still belongs to the shopper: it goes to the wallet, once. The payment's row keeps its end state, except for the provider's
-- number, by which disputes and the daily reconciliation find it.
create or replace function payment_end(p_payment bigint, p_paid boolean, p_ref text) returns text language plpgsql as $$
declare
  p payments;
  o orders;
  v_open boolean;
  v_transaction bigint;
begin
  select * into p from payments where id = p_payment for update;
  if p.state = 'pending' then
    update payments set state = case when p_paid then 'paid' else 'failed' end, provider_ref = p_ref,
        ended_at = clock_timestamp() where id = p.id;
    if not p_paid then
      return 'failed';
    end if;
  elsif not p_paid or p.state = 'paid' or exists (select 1 from ledger_transactions where payment_id = p.id) then
    return 'duplicate';
  else
    update payments set provider_ref = p_ref where id = p.id;
  end if;
  if p.recharge_id is not null then
    update recharges set state = 'paid', paid_at = clock_timestamp() where id = p.recharge_id and state <> 'paid';
    perform wallet_post(p.user_id, p.currency, 1, p.amount, 0, 'cash', null, p.recharge_id, p.id, p.method, 'provider');
    return 'recharge';
  end if;
  select * into o from orders where id = p.order_id for update;
  v_open := p.state = 'pending' and o.status = {OrderStatus.Unpaid} and o.closed_at is null and o.expire_at > clock_timestamp();
  if not v_open then
    perform wallet_post(p.user_id, p.currency, 1, p.amount, 0, 'cash', o.id, null, p.id, 'late', 'provider');
    return 'wallet';
  end if;
  insert into ledger_transactions (type, user_id, order_id, payment_id, remark, actor)
    values (0, p.user_id, o.id, p.id, p.method, 'provider') returning id into v_transaction;
  insert into ledger_entries (transaction_id, account, currency, amount)
    values (v_transaction, 'cash', p.currency, -p.amount), (v_transaction, 'sales', p.currency, p.amount);
  perform order_settle(o.id, p.method, p.id);
  return 'order';
end $$;
