-- A refund of the shop may be on its way while the provider tells the sum of all refunds: it counts as known until it is refused. So
-- the same sum can bring a new amount, and a provider that tells sums is booked by what is not known yet, not by its number.
create or replace function provider_refund_book(p_payment bigint, p_provider_id text, p_amount bigint, p_total bigint) returns text
language plpgsql as $$
declare
  p payments;
  v_known bigint;
  v_amount bigint;
  v_lost bigint;
  v_id text := p_provider_id;
begin
  select * into p from payments where id = p_payment for update;
  if not exists (select 1 from ledger_transactions where payment_id = p.id and type in (0, 1)) then
    raise exception '43020' using errcode = 'SHOPE';
  elsif p_total is null and exists (select 1 from provider_refunds where payment_id = p.id and provider_id = p_provider_id) then
    return 'duplicate';
  end if;
  v_known := (select coalesce(sum(amount), 0) from payment_refunds where payment_id = p.id and state <> 'failed')
    + (select coalesce(sum(amount), 0) from provider_refunds where payment_id = p.id);
  v_amount := coalesce(p_amount, p_total - v_known);
  if v_amount <= 0 then
    return 'duplicate';
  elsif v_known + v_amount > p.amount then
    raise exception '45011' using errcode = 'SHOPE';
  end if;
  if exists (select 1 from provider_refunds where payment_id = p.id and provider_id = v_id) then
    v_id := v_id || ' beyond ' || v_known;
  end if;
  v_lost := payment_went_back(p, v_amount, 'cash', 'P' || md5(p.id || ' refund ' || v_id));
  insert into provider_refunds (payment_id, provider_id, amount, lost) values (p.id, v_id, v_amount, v_lost);
  return 'refunded';
end $$;

-- As before, and: what the provider has refunded instead is booked at once, because it will not be told again.
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
