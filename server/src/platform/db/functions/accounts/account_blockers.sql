create or replace function account_blockers(p_user bigint) returns text[] language sql stable as $$
  select coalesce(array_agg(b.reason order by b.place), '{}') from (values
    (1, 'balance', exists (select 1 from wallets where user_id = p_user and (balance > 0 or frozen > 0))),
    (2, 'orders', exists (
      select 1 from orders where user_id = p_user and hidden_at is null and (status = {OrderStatus.Paid} or (status = {OrderStatus.Unpaid} and closed_at is null)))),
    -- A provider may still report money for a payment that expired within a day.
    (3, 'recharges', exists (select 1 from recharges where user_id = p_user and state = 'pending')
      or exists (select 1 from payments where user_id = p_user and state = 'pending'
        and expire_at > clock_timestamp() - interval '1 day')),
    (4, 'refunds', exists (select 1 from orders where user_id = p_user and refund_state = 'requested')
      or exists (select 1 from payments p join payment_refunds r on r.payment_id = p.id
        where p.user_id = p_user and r.state = 'pending')),
    (5, 'disputes', exists (select 1 from payments p join payment_disputes d on d.payment_id = p.id
        where p.user_id = p_user and d.state = 'open'))
  ) as b (place, reason, blocks) where b.blocks;
$$;
