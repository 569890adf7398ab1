create or replace function shop_post(p_type integer, p_payment payments, p_order bigint, p_from text, p_to text, p_amount bigint, p_remark text)
returns void language plpgsql as $$
declare
  v_transaction bigint;
begin
  insert into ledger_transactions (type, user_id, order_id, remark, actor)
    values (p_type, p_payment.user_id, p_order, p_remark, 'provider') returning id into v_transaction;
  insert into ledger_entries (transaction_id, account, currency, amount)
    values (v_transaction, p_from, p_payment.currency, -p_amount), (v_transaction, p_to, p_payment.currency, p_amount);
end $$;
