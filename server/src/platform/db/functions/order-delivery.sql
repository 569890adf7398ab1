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
  perform refuse_if(not found, '43404');
  perform refuse_if(o.status = {OrderStatus.Refunded}, '43020');
  if o.status = {OrderStatus.Unpaid} then
    perform refuse_if(o.closed_at is not null or o.expire_at <= clock_timestamp(), '43021');
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

-- An unpaid order is paid: 10/0 to 12/10, or directly to 30/20 for card codes, which the same update delivers; the timeline has
-- both events. An order that the shop's rules put on hold stays at 12/10, and is not delivered before order_release. The caller
-- has locked the order's row and has received the money.
create or replace function order_settle(p_order bigint, p_method text, p_payment bigint) returns void language plpgsql as $$
declare
  o orders;
  h hold_settings;
  v_reasons text[] := '{}';
begin
  select * into h from hold_settings where enabled;
  if found then
    select * into o from orders where id = p_order;
    -- The rule counts the buyer's other paid orders, so their payments are booked one by one. This is an advisory lock rather
    -- than a lock of the buyer's row, which other transactions take before the wallet's.
    if h.codes_per_hour is not null then
      perform pg_advisory_xact_lock(hashtextextended('paid orders ' || o.user_id, 3));
    end if;
    v_reasons := order_hold_reasons(o, p_payment, h);
  end if;
  update orders set status = case when recharge_type = 1 and v_reasons = '{}' then 30 else 12 end,
      delivery_status = case when recharge_type = 1 and v_reasons = '{}' then 20 else 10 end, paid_at = clock_timestamp(),
      finished_at = case when recharge_type = 1 and v_reasons = '{}' then clock_timestamp() end, pay_method = p_method, payment_id = p_payment,
      held_until = case when v_reasons <> '{}' then clock_timestamp() + make_interval(mins => h.minutes) end
    where id = p_order and status = {OrderStatus.Unpaid} and closed_at is null returning * into o;
  perform refuse_if(not found, '43020');
  insert into order_events (order_id, kind, status, delivery_status, note) values (o.id, 'paid', 12, 10, p_method);
  if v_reasons = '{}' then
    perform order_hand_over(o);
  else
    insert into order_holds (order_id, reasons) values (o.id, v_reasons);
    insert into order_events (order_id, kind, status, delivery_status) values (o.id, 'held', 12, 10);
  end if;
end $$;

-- Delivers the codes, or the text for all buyers, of a paid order that is not on hold, or leaves it to its supplier. Its row already
-- has the new state.
create or replace function order_hand_over(o orders) returns void language plpgsql as $$
declare
  v_pieces integer := o.quantity - o.refunded_quantity;
  v_cards integer;
begin
  if o.recharge_type = {RechargeType.CardCode} then
    update card_codes set state = {CardState.Sold}, sold_at = clock_timestamp() where order_id = o.id and state = {CardState.Reserved};
    get diagnostics v_cards = row_count;
    if v_cards = 0 then
      update shared_code_orders d set text_id = (select max(id) from shared_code_texts where spec_id = d.spec_id)
       where order_id = o.id and text_id is null returning quantity into v_cards;
    end if;
    if coalesce(v_cards, 0) <> v_pieces then
      raise exception 'order % holds % of % cards', o.id, v_cards, v_pieces using errcode = '55000';
    end if;
    insert into order_events (order_id, kind, status, delivery_status) values (o.id, 'delivered', 30, 20);
  elsif o.recharge_type in ({RechargeType.Direct}, {RechargeType.Proxy}) then
    insert into supplier_requests (order_id, supplier, reference) values (o.id, o.stock_type, o.order_no);
  end if;
end $$;

-- 12/10 to 30/20. Ends the request to the supplier, even if staff deliver. Returns false when the order did not wait for delivery, or
-- is on hold for review. A delivery by the supplier stores its cost as the last poll knows it; a later refund does not change that.
create or replace function order_deliver(p_order bigint, p_note text, p_actor text) returns boolean language plpgsql as $$
begin
  update orders o set status = {OrderStatus.Finished}, delivery_status = {DeliveryStatus.Delivered}, finished_at = clock_timestamp(), fields_cipher = null,
      cost = case when p_actor = 'supplier' then (o.quantity - o.refunded_quantity) * (select (f.costs ->> o.currency)::bigint from supplier_offers f
        where f.spec_id = o.spec_id and f.stock_type = o.stock_type) end
    where id = p_order and status = {OrderStatus.Paid} and delivery_status = {DeliveryStatus.ToDeliver} and held_until is null;
  if not found then
    return false;
  end if;
  update supplier_requests set state = {RequestState.Delivered}, next_at = 'infinity' where order_id = p_order and state in ({RequestState.ToSend}, {RequestState.Open});
  perform order_event(p_order, 'delivered', p_note, p_actor);
  return true;
end $$;

-- Adds an event with the order's present state to its timeline.
create or replace function order_event(p_order bigint, p_kind text, p_note text, p_actor text) returns void language sql as $$
  insert into order_events (order_id, kind, status, delivery_status, note, actor)
    select id, p_kind, status, delivery_status, p_note, p_actor from orders where id = p_order;
$$;
