-- Takes the amount out of the wallet and records that the provider must refund it. All refunds of a payment together, including
-- those that the provider began, never exceed it. Raises SHOPE 43404, 43020 (not paid), 43024 (the payment is disputed), 45011
-- (more than is left), 45001 (the wallet holds less).
create or replace function payment_refund_start(p_payment_no text, p_refund_no text, p_amount bigint, p_reason text, p_actor text)
returns void language plpgsql as $$
declare
  p payments;
begin
  select * into p from payments where payment_no = p_payment_no for update;
  if not found then
    raise exception '43404' using errcode = 'SHOPE';
  elsif not exists (select 1 from ledger_transactions where payment_id = p.id and type in ({LedgerType.Buy}, {LedgerType.Recharge})) then
    raise exception '43020' using errcode = 'SHOPE';
  elsif exists (select 1 from payment_disputes where payment_id = p.id and state <> 'won') then
    raise exception '43024' using errcode = 'SHOPE';
  end if;
  if payment_paid_back(p.id) + p_amount > p.amount then
    raise exception '45011' using errcode = 'SHOPE';
  end if;
  perform wallet_post(p.user_id, p.currency, 3, -p_amount, 0, 'cash', null, null, p.id, p_reason, p_actor);
  insert into payment_refunds (refund_no, payment_id, amount, reason) values (p_refund_no, p.id, p_amount, p_reason);
end $$;
