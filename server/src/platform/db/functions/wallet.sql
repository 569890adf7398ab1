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

-- Runs at the end of the transaction, when all entries exist.
create or replace function ledger_sums_to_zero() returns trigger
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
begin
  if exists (
    select 1 from ledger_entries where transaction_id = new.transaction_id group by currency having sum(amount) <> 0
  ) then
    raise exception 'ledger transaction % does not sum to zero', new.transaction_id using errcode = '23514';
  end if;
  return null;
end $$;

-- Moves money between accounts of the shop. Only a purchase names its payment.
create or replace function shop_post(p_type integer, p_payment payments, p_order bigint, p_from text, p_to text, p_amount bigint, p_remark text)
returns void language plpgsql as $$
declare
  v_transaction bigint;
begin
  insert into ledger_transactions (type, user_id, order_id, payment_id, remark, actor)
    values (p_type, p_payment.user_id, p_order, case p_type when {LedgerType.Buy} then p_payment.id end, p_remark, 'provider')
    returning id into v_transaction;
  insert into ledger_entries (transaction_id, account, currency, amount)
    values (v_transaction, p_from, p_payment.currency, -p_amount), (v_transaction, p_to, p_payment.currency, p_amount);
end $$;

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
  perform refuse_if(p_type = {LedgerType.Buy} and v_locked, '45002');
  v_balance := v_balance + p_available;
  v_frozen := v_frozen + p_frozen;
  perform refuse_if(v_balance < 0 or v_frozen < 0, '45001');
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

-- Checks whether a session may pay its user's order from the wallet, and counts the order if so. p_above contains the minor units
-- by currency that a session may spend within a day without a proof; a missing currency has no bound. The day begins with the
-- first counted amount. Raises SHOPE 401 (no such session) and 45003 with the reason as its detail: device or amount. Its caller,
-- order_pay, determines how it is planned.
create or replace function wallet_spend(p_user bigint, p_order_no text, p_session bytea, p_above jsonb) returns void
language plpgsql as $$
declare
  s record;
  o record;
  v_spent bigint;
begin
  select proved_at into s from sessions where token_hash = p_session and user_id = p_user;
  perform refuse_if(not found, '401');
  if s.proved_at > clock_timestamp() - interval '5 minutes' then
    return;
  end if;
  -- Payments of one session run one at a time, so that their sum is bounded. The order is read under the lock, because another
  -- payment may have paid it.
  select proved_at, spent, spent_since into s from sessions where token_hash = p_session for no key update;
  perform refuse_if(not found, '401');
  if s.proved_at > clock_timestamp() - interval '5 minutes' then
    return;
  end if;
  select total_amount, currency into o from orders
   where order_no = p_order_no and user_id = p_user and status = {OrderStatus.Unpaid} and closed_at is null and total_amount > 0;
  if not found then
    return;
  elsif s.proved_at is null then
    raise exception '45003' using errcode = 'SHOPE', detail = 'device';
  elsif not p_above ? o.currency then
    return;
  end if;
  if s.spent_since < clock_timestamp() - interval '1 day' or s.spent = '{}' then
    s.spent := '{}';
    s.spent_since := clock_timestamp();
  end if;
  v_spent := coalesce((s.spent ->> o.currency)::bigint, 0) + o.total_amount;
  if v_spent > (p_above ->> o.currency)::bigint then
    raise exception '45003' using errcode = 'SHOPE', detail = 'amount';
  end if;
  update sessions set spent = s.spent || jsonb_build_object(o.currency, v_spent), spent_since = s.spent_since
   where token_hash = p_session;
end $$;
