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

-- The lowest price of a value in each currency that everyone can pay, and its cost at the supplier; both are minor units per piece.
-- The cost is null, and the value available, without an answer for the goods' stock type. Custom amounts have no values.
create or replace function supply_prices(p_spec bigint)
returns table (currency text, price bigint, cost bigint, available boolean, is_low boolean) language sql stable as $$
  select p.currency, p.price, p.cost, p.available,
         coalesce(p.cost * 100 > p.price * (100 - p.margin_percent), false)
    from (
      select l.currency::text as currency, coalesce(f.available, true) as available, (f.costs ->> l.currency)::bigint as cost,
             least(l.price, (select min(t.price) from price_steps t where t.spec_id = s.id and t.currency = l.currency)) as price,
             (select margin_percent from suppliers where name = f.supplier) as margin_percent
        from goods_specs s join goods g on g.id = s.goods_id join prices l on l.spec_id = s.id
        left join supplier_offers f on f.spec_id = s.id and f.stock_type = g.stock_type
         and g.recharge_type in ({RechargeType.Direct}, {RechargeType.Proxy})
       where s.id = p_spec) p
   order by p.currency;
$$;

-- Sets or ends the hold of each value of these goods, or of all goods if p_goods is null: one price too low for its cost, or none
-- left at the supplier. Returns the number of holds that changed. The goods are locked, so that a new price and a new cost, stored at the
-- same time, are compared.
create or replace function supply_refresh(p_goods bigint[]) returns integer language plpgsql as $$
declare
  v_changed integer;
begin
  perform 1 from goods where p_goods is null or id = any (p_goods) order by id for no key update;
  with answered as (
    select s.id, case when bool_or(p.is_low) then 'cost' when not bool_and(p.available) then 'out' end as hold
      from goods_specs s left join lateral supply_prices(s.id) p on true
     where p_goods is null or s.goods_id = any (p_goods)
     group by s.id
  )
  update goods_specs s set supply_hold = a.hold, supply_held_at = case when a.hold is not null then clock_timestamp() end
    from answered a where a.id = s.id and s.supply_hold is distinct from a.hold;
  get diagnostics v_changed = row_count;
  return v_changed;
end $$;
