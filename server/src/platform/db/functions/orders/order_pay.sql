-- Pays an order from its owner's wallet under an idempotency key; a paid order is returned unchanged, without a second debit.
-- p_session is the session that pays, or null for the shop itself, which fills the demonstration. Amounts are minor units. It is
-- planned once per connection, by indexes: see order_create.
create or replace function order_pay(p_route text, p_key text, p_body_hash bytea, p_user bigint, p_order_no text, p_session bytea, p_above jsonb,
  p_message text, p_request_id text)
returns idempotency_keys language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
declare
  k idempotency_keys;
  o orders;
begin
  k := idempotency_take(p_user, p_route, p_key, p_body_hash);
  if k.key is not null then
    return k;
  end if;
  if p_session is not null then
    perform wallet_spend(p_user, p_order_no, p_session, p_above);
  end if;
  select * into o from orders where order_no = p_order_no and user_id = p_user for update;
  if not found then
    raise exception '43404' using errcode = 'SHOPE';
  elsif o.status = {OrderStatus.Refunded} then
    raise exception '43020' using errcode = 'SHOPE';
  elsif o.status = {OrderStatus.Unpaid} and (o.closed_at is not null or o.expire_at <= clock_timestamp()) then
    raise exception '43021' using errcode = 'SHOPE';
  elsif o.status = {OrderStatus.Unpaid} then
    if o.total_amount > 0 then
      perform wallet_post(o.user_id, o.currency, 0, -o.total_amount, 0, 'sales', o.id, null, null, '', 'user');
    end if;
    perform order_settle(o.id, 'balance', null);
    select * into o from orders where id = o.id;
  end if;
  insert into idempotency_keys (user_id, route, key, body_hash, response)
    values (p_user, p_route, p_key, p_body_hash, json_build_object(
      'code', 200, 'message', p_message, 'request_id', p_request_id, 'data', json_build_object(
        'order_no', o.order_no, 'status', o.status, 'delivery_status', o.delivery_status,
        'balance', coalesce((select balance from wallets where user_id = p_user and currency = o.currency), 0),
        'server_time', clock_timestamp())))
    returning * into k;
  return k;
end $$;
