-- Claims the request that is due first, for p_seconds. Returns it as it was before the claim, but with the new lease. The order
-- is locked first, as in all functions. A request is not sent if its order no longer waits for delivery, its payment is disputed,
-- or its refund waits for a second member of staff; the last condition is checked again under the order's lock, because the
-- refund may have been requested since the statement began.
create or replace function supplier_claim(p_seconds integer) returns setof supplier_requests language plpgsql as $$
declare
  o orders;
  r supplier_requests;
begin
  loop
    select orders.* into o from supplier_requests q join orders on orders.id = q.order_id
     where q.state in ({RequestState.ToSend}, {RequestState.Open}, {RequestState.Refused}) and q.next_at < 'infinity' and q.next_at <= clock_timestamp()
       and not (q.state = {RequestState.ToSend} and (orders.disputed or staff_refund_waits(orders.id)))
     order by q.next_at limit 1 for update of orders skip locked;
    if not found then
      return;
    end if;
    select * into r from supplier_requests where order_id = o.id for update;
    continue when r.state not in ({RequestState.ToSend}, {RequestState.Open}, {RequestState.Refused}) or r.next_at > clock_timestamp();
    continue when r.state = {RequestState.ToSend} and staff_refund_waits(o.id);
    if r.state = {RequestState.ToSend} and o.status <> {OrderStatus.Paid} then
      update supplier_requests set state = {RequestState.Refused}, next_at = 'infinity', detail = 'not sent: the order did not wait any more'
       where order_id = o.id;
      continue;
    end if;
    r.tries := r.tries + 1;
    r.lease := r.lease + 1;
    r.sent_at := coalesce(r.sent_at, clock_timestamp());
    update supplier_requests set state = case when r.state = {RequestState.ToSend} then 1 else r.state end, tries = r.tries, lease = r.lease,
        sent_at = r.sent_at, next_at = clock_timestamp() + make_interval(secs => p_seconds)
     where order_id = o.id;
    return next r;
    return;
  end loop;
end $$;
