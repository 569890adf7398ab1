-- The provider's answer to a refund. A refusal gives the money back to the wallet, once, which the order shows; and what the provider has
-- refunded instead is booked at once, because it will not be told again. Returns false when the refund had ended.
create or replace function payment_refund_end(p_refund_no text, p_done boolean, p_detail text) returns boolean language plpgsql as $$
declare
  r payment_refunds;
  p payments;
  v_total bigint;
begin
  perform 1 from orders where id = (
    select q.order_id from payment_refunds f join payments q on q.id = f.payment_id where f.refund_no = p_refund_no) for update;
  update payment_refunds set state = case when p_done then 'done' else 'failed' end, detail = p_detail,
      ended_at = clock_timestamp()
    where refund_no = p_refund_no and state = 'pending' returning * into r;
  if not found then
    return false;
  end if;
  if not p_done then
    select * into p from payments where id = r.payment_id for update;
    perform wallet_post(p.user_id, p.currency, 2, r.amount, 0, 'cash', null, null, p.id, p_detail, 'provider');
    insert into order_events (order_id, kind, status, delivery_status, note, actor)
      select o.id, 'refund_returned', o.status, o.delivery_status, r.amount::text, 'provider'
        from order_refunds f join orders o on o.id = f.order_id where f.refund_no = p_refund_no;
    v_total := (select max(substring(provider_id from '^total-(\d+)')::bigint) from provider_refunds where payment_id = p.id);
    if v_total is not null then
      perform provider_refund_book(p.id, 'total-' || v_total, null, v_total);
    end if;
  end if;
  return true;
end $$;
