-- A user's order with all that its page shows, or null for another user's order. It returns one value, because describing and
-- reading thirty columns costs the server more than their content. It is PL/pgSQL, planned once and by indexes, independent of the
-- estimate of the surrounding statement.
create or replace function order_detail(p_user bigint, p_order_no text) returns json
language plpgsql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
begin
  return (select row_to_json(d) from (
    select o.order_no, status, delivery_status, recharge_type, currency, total_amount, quantity, created_at, expire_at, closed_at,
           close_reason, refund_state, disputed, o.id, goods_id, spec_id, custom_value, unit_price, original_amount,
           coupon_discount, snapshot, fields_masked, pay_method, paid_at, finished_at, refund_reason, refund_requested_at,
           refunded_at, refunded_amount, held_until,
           (select json_agg(json_build_object('at', e.at, 'kind', e.kind, 'note', e.note) order by e.id)
              from order_events e where e.order_id = o.id) as events,
           coalesce(nullif((select count(*) from card_codes c where c.order_id = o.id and c.state = {CardState.Sold}), 0),
             (select count(*) from shared_code_orders d
               where d.order_id = o.id and d.text_id is not null and o.refunded_quantity < o.quantity)) as cards,
           (select json_agg(json_build_object('refund_no', r.refund_no, 'amount', r.amount, 'quantity', r.quantity, 'target', r.target,
               'state', case when r.target = 'wallet' or r.amount = 0 then 'done'
                 else coalesce((select case p.state when 'failed' then 'returned' else p.state end
                   from payment_refunds p where p.refund_no = r.refund_no), 'done') end,
               'at', r.created_at) order by r.id)
              from order_refunds r where r.order_id = o.id) as refunds,
           (select p.payment_no from payments p where p.id = o.payment_id) as payment_no,
           (select json_build_object('id', c.id, 'name', json_build_object('zh-CN', c.name_zh, 'en', c.name_en))
              from user_coupons uc join coupons c on c.id = uc.coupon_id where uc.id = o.user_coupon_id) as coupon
      from orders o where o.order_no = p_order_no and o.user_id = p_user) d);
end $$;
