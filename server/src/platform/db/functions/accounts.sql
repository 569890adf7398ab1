create or replace function account_blockers(p_user bigint) returns text[] language sql stable as $$
  select coalesce(array_agg(b.reason order by b.place), '{}') from (values
    (1, 'balance', exists (select 1 from wallets where user_id = p_user and (balance > 0 or frozen > 0))),
    (2, 'orders', exists (
      select 1 from orders where user_id = p_user and hidden_at is null and (status = {OrderStatus.Paid} or (status = {OrderStatus.Unpaid} and closed_at is null)))),
    -- A provider may still report money for a payment that expired within a day.
    (3, 'recharges', exists (select 1 from recharges where user_id = p_user and state = 'pending')
      or exists (select 1 from payments where user_id = p_user and state = 'pending'
        and expire_at > clock_timestamp() - interval '1 day')),
    (4, 'refunds', exists (select 1 from orders where user_id = p_user and refund_state = 'requested')
      or exists (select 1 from payments p join payment_refunds r on r.payment_id = p.id
        where p.user_id = p_user and r.state = 'pending')),
    (5, 'disputes', exists (select 1 from payments p join payment_disputes d on d.payment_id = p.id
        where p.user_id = p_user and d.state = 'open'))
  ) as b (place, reason, blocks) where b.blocks;
$$;

-- Keeps of a user what the law and the ledger require, under a pseudonym: orders without game accounts, postings, refunds,
-- coupons, the audit log. Texts that staff and suppliers wrote about the user are erased too, except the remarks of manual
-- postings. Raises SHOPE 41020 with a balance, 41021 with anything else that is open.
create or replace function account_erase(p_user bigint, p_pseudonym text, p_actor text, p_reason text) returns void language plpgsql as $$
declare
  u users;
  v_orders bigint[];
  v_identifier text;
  v_masked text;
  v_table text;
begin
  select * into u from users where id = p_user for update;
  perform refuse_if(u.id is null or u.erased_at is not null, '41001');
  perform refuse_if('balance' = any (account_blockers(p_user)), '41020');
  perform refuse_if(account_blockers(p_user) <> '{}', '41021');
  v_identifier := coalesce(u.phone, u.sign_in_email, p_pseudonym);
  -- The masked form in entries of refused sign-ins (shared/src/domain/mask-phone.ts), which would identify the user beside their
  -- id.
  v_masked := coalesce(left(u.phone, 3) || '****' || right(u.phone, least(4, length(u.phone) - 7)),
    regexp_replace(u.sign_in_email, '^(.?.?).+(@.*)$', '\1***\2'), p_pseudonym);
  v_orders := array(select id from orders where user_id = p_user and hidden_at is null
    union all select id from orders where user_id = p_user and hidden_at is not null);

  perform set_config('shop.erasing', 'on', true);
  update orders set fields_masked = '[]', fields_cipher = null, network = null, refund_reason = '' where id = any (v_orders);
  update supplier_requests set detail = '' where order_id = any (v_orders);
  update order_events set note = '' where order_id = any (v_orders) and actor in ('user', 'staff', 'supplier') and kind not like 'refunded_part%';
  update order_refunds set reason = '' where order_id = any (v_orders);
  update staff_refunds set reason = '' where order_id = any (v_orders);
  update staff_wallet_acts set reason = '' where user_id = p_user;
  update person_notes set note = '' where user_id = p_user;
  update payment_refunds set reason = '' where payment_id in (select id from payments where user_id = p_user);
  -- The remark of a refund is its reason; that of a manual posting stays, because it is the voucher.
  update ledger_transactions
      set remark = case when type in ({LedgerType.Refund}, {LedgerType.Deduction}) and num_nonnulls(order_id, payment_id) > 0 then '' else replace(remark, v_identifier, p_pseudonym) end
    where id in (select transaction_id from ledger_entries where user_id = p_user) and remark <> '';
  update audit_log set subject = replace(replace(subject, v_identifier, p_pseudonym), v_masked, p_pseudonym),
      detail = replace(replace((detail - '{note,reason}'::text[])::text, v_identifier, p_pseudonym), v_masked, p_pseudonym)::jsonb
    where user_id = p_user and (detail ?| '{note,reason}'::text[] or position(v_identifier in subject || detail::text) > 0
      or position(v_masked in subject || detail::text) > 0);
  perform set_config('shop.erasing', 'off', true);

  foreach v_table in array '{sessions,known_addresses,known_devices,payers,favourites,given_levels,notices,notice_settings,
      push_subscriptions,stock_wishes,idempotency_keys,game_accounts}'::text[] loop
    execute format('delete from %I where user_id = $1', v_table) using p_user;
  end loop;
  delete from payment_countries where payment_id in (select id from payments where user_id = p_user);
  delete from verification_codes where phone = v_identifier;
  -- The normalized form of an address is that of mailboxOf (server/src/platform/emails/email.ts).
  delete from code_sends where phone = coalesce(u.phone,
    replace(split_part(split_part(u.sign_in_email, '@', 1), '+', 1), '.', '') || '@' || split_part(u.sign_in_email, '@', 2));
  delete from dev_outbox where phone = u.phone;
  delete from dev_mails where recipient in (u.email, u.sign_in_email);
  delete from rate_limits where key = 'guess:' || v_identifier or starts_with(key, 'guess:' || v_identifier || ':');
  -- Enquiries contain the phone number in the spelling of their author.
  delete from business_enquiries where regexp_replace(phone, '[^+0-9]', '', 'g') in (u.phone, '+86' || u.phone)
    or lower(email) = u.sign_in_email;
  update uploads set removed_at = clock_timestamp() where user_id = p_user and removed_at is null;
  update users set phone = null, sign_in_email = null, password_hash = null, openid = null, unionid = null, nickname = p_pseudonym, name = '', avatar = '',
      email = '', birthday = '', sex = 0, id_card_cipher = null, id_card_key = null, id_card_masked = '', is_real = 0, is_usable = 0,
      is_vip = false, invite_code = p_pseudonym, close_requested_at = null, close_at = null,
      close_withdrawn_at = null, erased_at = clock_timestamp()
    where id = p_user;
  insert into audit_log (actor, action, subject, user_id, detail)
    values (p_actor, 'account.erase', p_pseudonym, p_user, jsonb_build_object('reason', replace(p_reason, v_identifier, p_pseudonym)));
end $$;

-- A sign-in withdraws a closure. Raises SHOPE 41001 when the account has been erased meanwhile.
create or replace function closure_withdraw(p_user bigint) returns boolean language plpgsql as $$
begin
  update users set close_requested_at = null, close_at = null, close_withdrawn_at = clock_timestamp()
    where id = p_user and close_at is not null and erased_at is null;
  if found then
    return true;
  end if;
  perform refuse_if(exists (select 1 from users where id = p_user and erased_at is not null), '41001');
  return false;
end $$;

-- One attempt at the code of a phone number or an email address (both are p_phone) for a purpose: 200, 41002 wrong, 41003 right
-- but expired, 41004 right but used, or five wrong attempts.
create or replace function code_try(p_phone text, p_purpose text, p_hash bytea) returns integer language plpgsql as $$
declare
  c verification_codes;
begin
  insert into verification_codes (phone, purpose, expires_at)
    values (p_phone, p_purpose, clock_timestamp() + interval '5 minutes')
    on conflict (phone, purpose) do update
      set code_hash = null, tries = 0, used = false, expires_at = excluded.expires_at
      where verification_codes.expires_at <= clock_timestamp() - interval '10 minutes';
  select * into c from verification_codes where phone = p_phone and purpose = p_purpose for update;
  if c.tries >= 5 then
    return 41004;
  elsif c.code_hash is distinct from p_hash then
    update verification_codes set tries = tries + 1 where phone = p_phone and purpose = p_purpose;
    return case when c.tries + 1 >= 5 then 41004 else 41002 end;
  elsif c.used then
    return 41004;
  elsif c.expires_at <= clock_timestamp() then
    return 41003;
  end if;
  update verification_codes set used = true where phone = p_phone and purpose = p_purpose;
  return 200;
end $$;

-- The users of several session tokens in one statement. A token that is unknown, has ended or was not used for p_idle seconds has
-- no row. `stale` means that the last recorded use is minutes old. It is planned once, by indexes.
create or replace function sessions_known(p_hashes bytea[], p_idle integer)
returns table (token_hash bytea, id bigint, is_vip boolean, is_usable smallint, stale boolean)
language plpgsql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
begin
  return query select s.token_hash, u.id, u.is_vip, u.is_usable, s.seen_at < clock_timestamp() - interval '5 minutes'
    from sessions s join users u on u.id = s.user_id
    where s.token_hash = any (p_hashes) and s.expires_at > clock_timestamp()
      and s.seen_at > clock_timestamp() - make_interval(secs => p_idle);
end $$;

-- Records a use. Rows are locked in one order and locked rows are skipped: of several calls and processes only one writes.
create or replace function sessions_seen(p_hashes bytea[]) returns void language sql as $$
  update sessions set seen_at = clock_timestamp() where token_hash in (
    select token_hash from sessions
     where token_hash = any (p_hashes) and seen_at < clock_timestamp() - interval '5 minutes' for update skip locked);
$$;
