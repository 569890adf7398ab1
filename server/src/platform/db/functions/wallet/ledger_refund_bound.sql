-- Refunds of an order together never exceed the paid amount, even if other code has a bug.
create or replace function ledger_refund_bound() returns trigger language plpgsql as $$
begin
  if (select coalesce(sum(-e.amount), 0) from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
       where t.order_id = new.order_id and t.type = {LedgerType.Refund} and e.account = 'sales')
     > (select total_amount from orders where id = new.order_id) then
    raise exception 'order % is refunded beyond what was paid', new.order_id using errcode = '23514';
  end if;
  return null;
end $$;
