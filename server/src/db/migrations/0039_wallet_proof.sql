-- Spending from a wallet needs a proof beyond the session's token: on a device where the person has proved nothing yet, and above an
-- amount.
alter table sessions
  -- SHA-256 of the cookie that the browser keeps.
  add column device bytea,
  -- Last proof of the person, by signing in or asked for; null on a new device until there is one.
  add column proved_at timestamptz,
  -- Minor units by currency that were spent without a recent proof since spent_since.
  add column spent jsonb not null default '{}',
  add column spent_since timestamptz not null default now();
-- Sessions from before are on devices in use.
update sessions set proved_at = created_at;

-- Devices on which a person has given a code.
create table known_devices (
  user_id bigint not null references users (id),
  device bytea not null,
  proved_at timestamptz not null default now(),
  primary key (user_id, device)
);

-- Whether a session may pay its person's order from the wallet; counts the order if so. p_above: minor units by currency that a
-- session may spend within a day without a proof; nothing for a currency without a bound. Raises SHOPE 401 (no such session) and 45003
-- with the reason as its detail: device or amount.
create function wallet_spend(p_user bigint, p_order_no text, p_session bytea, p_above jsonb) returns void
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  s sessions;
  o record;
  v_since timestamptz := clock_timestamp() - interval '1 day';
  v_spent bigint;
begin
  select * into s from sessions where token_hash = p_session and user_id = p_user;
  if not found then
    raise exception '401' using errcode = 'SHOPE';
  elsif s.proved_at > clock_timestamp() - interval '5 minutes' then
    return;
  end if;
  -- Payments of one session at a time, so that their sum is bounded. The order is read under the lock: another may have paid it.
  select * into s from sessions where token_hash = p_session for no key update;
  if not found then
    raise exception '401' using errcode = 'SHOPE';
  end if;
  select total_amount, currency into o from orders
   where order_no = p_order_no and user_id = p_user and status = 10 and closed_at is null and total_amount > 0;
  if not found then
    return;
  elsif s.proved_at is null then
    raise exception '45003' using errcode = 'SHOPE', detail = 'device';
  elsif not p_above ? o.currency then
    return;
  end if;
  if s.spent_since < v_since then
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

-- As before, for a session; null for the shop itself, which fills the demonstration.
drop function order_pay(text, text, bytea, bigint, text, text, text);
create function order_pay(p_route text, p_key text, p_body_hash bytea, p_user bigint, p_order_no text, p_session bytea, p_above jsonb,
  p_locale text, p_request_id text)
returns idempotency_keys language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  k idempotency_keys;
  o orders;
begin
  k := idempotency_take(p_user, p_route, p_key, p_body_hash);
  if k.key is not null then
    return k;
  end if;
  if p_session is not null then
    perform wallet_spend(p_user, p_order_no, p_session, p_above);
  end if;
  o := order_pay_by_balance(p_user, p_order_no);
  insert into idempotency_keys (user_id, route, key, body_hash, result)
    values (p_user, p_route, p_key, p_body_hash, jsonb_build_object(
      'request_id', p_request_id, 'locale', p_locale, 'order_no', o.order_no, 'status', o.status,
      'delivery_status', o.delivery_status,
      'balance', coalesce((select balance from wallets where user_id = p_user and currency = o.currency), 0),
      'server_time', clock_timestamp()))
    returning * into k;
  return k;
end $$;
