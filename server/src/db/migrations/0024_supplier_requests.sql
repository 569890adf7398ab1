-- A supplier request is sent once in its life: the claim that turns state 0 into 1 sends it, every later claim only asks.
-- state: 0 to send, 1 open (the supplier may have it), 2 delivered, 3 refused or never sent, 4 delivered although it was refused
-- and the order refunded: for the staff. lease counts claims, and only the newest claim may book. refused_at: the supplier
-- refused once; the money goes back when it has said so twice.
alter table supplier_requests
  add column lease integer not null default 0,
  add column sent_at timestamptz,
  add column refused_at timestamptz,
  add constraint supplier_requests_state check (state between 0 and 4);
update supplier_requests set sent_at = clock_timestamp() where state = 1;
alter table supplier_requests add constraint supplier_requests_sent check (state <> 1 or sent_at is not null);
update supplier_requests set next_at = 'infinity' where state in (2, 3);
drop index supplier_requests_due;
create index supplier_requests_due on supplier_requests (next_at) where state in (0, 1, 3) and next_at < 'infinity';

-- Claims the request that is due first, for p_seconds, as it was before the claim but with the new lease. The order is locked
-- first, as everywhere, and one that does not wait for delivery any more is not sent.
create function supplier_claim(p_seconds integer) returns setof supplier_requests language plpgsql as $$
declare
  o orders;
  r supplier_requests;
begin
  loop
    select orders.* into o from supplier_requests q join orders on orders.id = q.order_id
     where q.state in (0, 1, 3) and q.next_at < 'infinity' and q.next_at <= clock_timestamp()
     order by q.next_at limit 1 for update of orders skip locked;
    if not found then
      return;
    end if;
    select * into r from supplier_requests where order_id = o.id for update;
    continue when r.state not in (0, 1, 3) or r.next_at > clock_timestamp();
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

-- As before, and: ends the request to the supplier, whoever delivers.
create or replace function order_deliver(p_order bigint, p_note text, p_actor text) returns boolean language plpgsql as $$
begin
  update orders set status = 30, delivery_status = 20, finished_at = clock_timestamp(), fields_cipher = null
    where id = p_order and status = 12 and delivery_status = 10;
  if not found then
    return false;
  end if;
  update supplier_requests set state = 2, next_at = 'infinity' where order_id = p_order and state in (0, 1);
  insert into order_events (order_id, kind, status, delivery_status, note, actor)
    values (p_order, 'delivered', 30, 20, p_note, p_actor);
  return true;
end $$;

-- As before, and: a request that was not sent ends here; one that the supplier may have raises SHOPE 43022, because it would be
-- money back and goods delivered.
create or replace function order_refund(p_order bigint, p_reason text, p_actor text) returns boolean language plpgsql as $$
declare
  o orders;
begin
  update orders set status = 60, refunded_at = clock_timestamp(), refund_state = 'refunded', fields_cipher = null,
      refund_reason = case when p_reason = '' then refund_reason else p_reason end
    where id = p_order and status in (12, 30) returning * into o;
  if not found then
    return false;
  end if;
  update supplier_requests set state = 3, next_at = 'infinity', detail = 'not sent: the order was refunded'
    where order_id = o.id and state = 0;
  if exists (select 1 from supplier_requests where order_id = o.id and state = 1) then
    raise exception '43022' using errcode = 'SHOPE';
  end if;
  if o.total_amount > 0 then
    perform wallet_post(o.user_id, o.currency, 2, o.total_amount, 0, 'sales', o.id, null, null, p_reason, p_actor);
  end if;
  if o.delivery_status = 10 then
    perform stock_give_back(o.id, o.spec_id, o.recharge_type, o.quantity);
  else
    update card_codes set state = 3 where order_id = o.id and state = 2;
  end if;
  update user_coupons set use_status = case when end_time > clock_timestamp() then 1 else 3 end, order_id = null
    where order_id = o.id and use_status = 2;
  insert into order_events (order_id, kind, status, delivery_status, note, actor)
    values (o.id, 'refunded', 60, o.delivery_status, p_reason, p_actor);
  return true;
end $$;
