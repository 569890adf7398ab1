-- Books a refund that the shop did not begin: p_amount, or with p_total the part of all refunds of the payment that is not booked
-- yet. A refund of the shop may be in progress while the provider reports the total: it counts as booked until it is refused. So
-- the same total can lead to a new amount, and reports of a provider that sends totals are booked by the missing amount, not by
-- their number. A total of p_at also includes the refunds of the shop that the provider had accepted and that failed later.
-- Raises SHOPE 43020 (the payment has brought no money so far) and 45011 (more than was paid).
create or replace function provider_refund_book(p_payment bigint, p_provider_id text, p_amount bigint, p_total bigint,
  p_at timestamptz default null) returns text language plpgsql as $$
declare
  p payments;
  v_known bigint;
  v_amount bigint;
  v_lost bigint;
  v_id text := p_provider_id;
begin
  select * into p from payments where id = p_payment for update;
  if not exists (select 1 from ledger_transactions where payment_id = p.id and type in ({LedgerType.Buy}, {LedgerType.Recharge})) then
    raise exception '43020' using errcode = 'SHOPE';
  elsif p_total is null and exists (select 1 from provider_refunds where payment_id = p.id and provider_id = p_provider_id) then
    return 'duplicate';
  end if;
  v_known := payment_paid_back(p.id);
  v_amount := coalesce(p_amount, p_total - v_known - (select coalesce(sum(amount), 0)::bigint from payment_refunds
    where payment_id = p.id and state = 'failed' and accepted and ended_at > p_at));
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
