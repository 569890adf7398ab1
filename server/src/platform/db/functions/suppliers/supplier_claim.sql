-- Claims the request that is due first, for p_seconds. Returns it as it was before the claim, but with the new lease. The order is locked
-- first, as everywhere. Not sent is an order that does not wait for delivery any more, whose payment is disputed, or whose refund waits for
-- a second person; the last is looked for again under the order's lock, because it may have been asked for since the statement began.
create or replace function supplier_claim(p_seconds integer) returns setof supplier_requests language plpgsql as $$
declare
  o orders;
  r supplier_requests;
begin
  loop
    select orders.* into o from supplier_requests q join orders on orders.id = q.order_id
     where q.state in (0, 1, 3) and q.next_at < 'infinity' and q.next_at <= clock_timestamp()
       and not (q.state = 0 and (orders.disputed or staff_refund_waits(orders.id)))
     order by q.next_at limit 1 for update of orders skip locked;
    if not found then
      return;
    end if;
    select * into r from supplier_requests where order_id = o.id for update;
    continue when r.state not in (0, 1, 3) or r.next_at > clock_timestamp();
    continue when r.state = 0 and staff_refund_waits(o.id);
    if r.state = 0 and o.status <> 12 then
      update supplier_requests set state = 3, next_at = 'infinity', detail = 'not sent: the order did not wait any more'
       where order_id = o.id;
      continue;
    end if;
    r.tries := r.tries + 1;
    r.lease := r.lease + 1;
    r.sent_at := coalesce(r.sent_at, clock_timestamp());
    update supplier_requests set state = case when r.state = 0 then 1 else r.state end, tries = r.tries, lease = r.lease,
        sent_at = r.sent_at, next_at = clock_timestamp() + make_interval(secs => p_seconds)
     where order_id = o.id;
    return next r;
    return;
  end loop;
end $$;
