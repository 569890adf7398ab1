-- Books the provider's response to a refund, p_end: 'done', 'failed' (it was accepted and not executed, or the money came back
-- later) or 'refused' (it was never accepted). The last two return the money to the wallet, once, and the order shows it. A total
-- that the provider reported before a refusal included the refund, so refunds by others of the same amount are booked now.
-- Returns false when the refund had already ended this way.
create or replace function payment_refund_end(p_refund_no text, p_end text, p_detail text) returns boolean language plpgsql as $$
declare
  r payment_refunds;
  p payments;
  v_total bigint;
begin
  perform 1 from orders where id = (
    select q.order_id from payment_refunds f join payments q on q.id = f.payment_id where f.refund_no = p_refund_no) for update;
  update payment_refunds set state = case p_end when 'done' then 'done' else 'failed' end, accepted = p_end <> 'refused', detail = p_detail,
      ended_at = clock_timestamp()
    where refund_no = p_refund_no and (state = 'pending' or state = 'done' and p_end = 'failed') returning * into r;
  if not found then
    return false;
  end if;
  if p_end <> 'done' then
    select * into p from payments where id = r.payment_id for update;
    perform wallet_post(p.user_id, p.currency, 2, r.amount, 0, 'cash', null, null, p.id, p_detail, 'provider');
    insert into order_events (order_id, kind, status, delivery_status, note, actor)
      select o.id, 'refund_returned', o.status, o.delivery_status, r.amount::text, 'provider'
        from order_refunds f join orders o on o.id = f.order_id where f.refund_no = p_refund_no;
  end if;
  if p_end = 'refused' then
    v_total := (select max(substring(provider_id from '^total-(\d+)')::bigint) from provider_refunds where payment_id = p.id);
    if v_total is not null then
      perform provider_refund_book(p.id, 'total-' || v_total, null, v_total);
    end if;
  end if;
  return true;
end $$;
