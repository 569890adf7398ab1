-- p_change is opened, withdrawn, reinstated, won or lost. The first reported change freezes the order or the wallet's money.
create or replace function dispute_book(p_payment bigint, p_provider_id text, p_amount bigint, p_reason text, p_change text) returns text
language plpgsql as $$
declare
  p payments;
  o orders;
  d payment_disputes;
  v_new boolean;
begin
  select * into p from payments where id = p_payment for update;
  if not exists (select 1 from ledger_transactions where payment_id = p.id and type in ({LedgerType.Buy}, {LedgerType.Recharge})) then
    raise exception '43020' using errcode = 'SHOPE';
  elsif p_amount > p.amount then
    raise exception '45011' using errcode = 'SHOPE';
  end if;
  insert into payment_disputes (payment_id, provider_id, amount, reason) values (p.id, p_provider_id, p_amount, p_reason)
    on conflict do nothing;
  v_new := found;
  select * into d from payment_disputes where payment_id = p.id and provider_id = p_provider_id for update;
  select * into o from orders where id = p.order_id and payment_id = p.id;
  if v_new and o.id is not null then
    update orders set disputed = true where id = o.id;
    insert into order_events (order_id, kind, status, delivery_status, actor)
      values (o.id, 'disputed', o.status, o.delivery_status, 'provider');
  elsif v_new then
    select least(balance, d.amount) into d.frozen from wallets where user_id = p.user_id and currency = p.currency for update;
    d.frozen := coalesce(d.frozen, 0);
    if d.frozen > 0 then
      perform wallet_post(p.user_id, p.currency, 4, -d.frozen, d.frozen, 'adjustment', null, null, null, p.payment_no, 'provider');
      update payment_disputes set frozen = d.frozen where id = d.id;
    end if;
  end if;
  if p_change = 'withdrawn' and not d.withdrawn then
    update payment_disputes set withdrawn = true where id = d.id;
    perform shop_post(6, p, null, 'disputed', 'cash', d.amount, p.payment_no);
  elsif p_change = 'reinstated' and not d.reinstated then
    update payment_disputes set reinstated = true where id = d.id;
    perform shop_post(6, p, null, 'cash', 'disputed', d.amount, p.payment_no);
  elsif p_change in ('won', 'lost') and d.state = 'open' then
    if d.frozen > 0 then
      perform wallet_post(p.user_id, p.currency, 5, d.frozen, -d.frozen, 'adjustment', null, null, null, p.payment_no, 'provider');
    end if;
    if p_change = 'lost' then
      d.lost := payment_went_back(p, d.amount, 'disputed', 'P' || md5(p.id || ' dispute ' || p_provider_id));
    end if;
    update payment_disputes set state = p_change, ended_at = clock_timestamp(), frozen = 0, lost = d.lost where id = d.id;
    if o.id is not null then
      update orders set disputed = exists (select 1 from payment_disputes where payment_id = p.id and state = 'open')
        where id = o.id returning * into o;
      insert into order_events (order_id, kind, status, delivery_status, actor)
        values (o.id, 'dispute_' || p_change, o.status, o.delivery_status, 'provider');
    end if;
  elsif not v_new then
    return 'duplicate';
  end if;
  return p_change;
end $$;
