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
  if not found then
    raise exception '401' using errcode = 'SHOPE';
  elsif s.proved_at > clock_timestamp() - interval '5 minutes' then
    return;
  end if;
  -- Payments of one session run one at a time, so that their sum is bounded. The order is read under the lock, because another
  -- payment may have paid it.
  select proved_at, spent, spent_since into s from sessions where token_hash = p_session for no key update;
  if not found then
    raise exception '401' using errcode = 'SHOPE';
  elsif s.proved_at > clock_timestamp() - interval '5 minutes' then
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
