-- The only function that moves a user's money. Amounts are minor units: p_available and p_frozen are added to the user's two
-- accounts, and the shop's account p_counter takes the opposite. Raises SHOPE 45001 (too low) and 45002 (locked).
create or replace function wallet_post(
  p_user bigint, p_currency text, p_type integer, p_available bigint, p_frozen bigint, p_counter text,
  p_order bigint, p_recharge bigint, p_payment bigint, p_remark text, p_actor text
) returns bigint language plpgsql as $$
declare
  v_balance bigint;
  v_frozen bigint;
  v_locked boolean;
  v_transaction bigint;
begin
  insert into wallets (user_id, currency) values (p_user, p_currency) on conflict do nothing;
  select balance, frozen, locked into v_balance, v_frozen, v_locked
    from wallets where user_id = p_user and currency = p_currency for update;
  if p_type = {LedgerType.Buy} and v_locked then
    raise exception '45002' using errcode = 'SHOPE';
  end if;
  v_balance := v_balance + p_available;
  v_frozen := v_frozen + p_frozen;
  if v_balance < 0 or v_frozen < 0 then
    raise exception '45001' using errcode = 'SHOPE';
  end if;
  update wallets set balance = v_balance, frozen = v_frozen where user_id = p_user and currency = p_currency;
  insert into ledger_transactions (type, user_id, order_id, recharge_id, payment_id, remark, actor)
    values (p_type, p_user, p_order, p_recharge, p_payment, p_remark, p_actor) returning id into v_transaction;
  insert into ledger_entries (transaction_id, user_id, account, currency, amount, balance_after, frozen_after)
    select v_transaction, e.user_id, e.account, p_currency, e.amount, e.balance_after, e.frozen_after
      from (values
        (p_user, 'available', p_available, v_balance, v_frozen),
        (p_user, 'frozen', p_frozen, v_frozen, null),
        (null::bigint, p_counter, -(p_available + p_frozen), null, null)
      ) as e (user_id, account, amount, balance_after, frozen_after)
     where e.amount <> 0;
  return v_balance;
end $$;
