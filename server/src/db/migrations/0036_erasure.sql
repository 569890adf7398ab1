-- Append-only rows take an update while account_erase runs, of the columns that are named here only.
create function refuse_other_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - tg_argv = to_jsonb(old) - tg_argv then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = '55000';
end $$;
do $$
declare
  v record;
begin
  for v in
    select t.tgname as name, t.tgrelid::regclass as relation, t.tgfoid::regproc as guard, w.words
      from (values ('audit_log', $q$'subject', 'detail'$q$), ('order_events', $q$'note'$q$), ('order_refunds', $q$'reason'$q$),
        ('ledger_transactions', $q$'remark'$q$)) as w (name, words)
      join pg_trigger t on t.tgrelid = w.name::regclass and t.tgname = w.name || '_append_only'
  loop
    execute format('drop trigger %I on %s', v.name, v.relation);
    execute format($q$create trigger %I before update or delete on %s for each row
      when (current_setting('shop.erasing', true) is distinct from 'on') execute function %s()$q$, v.name, v.relation, v.guard);
    execute format($q$create trigger %I before update or delete on %s for each row
      when (current_setting('shop.erasing', true) = 'on') execute function refuse_other_change(%s)$q$,
      v.relation || '_erasure', v.relation, v.words);
  end loop;
end $$;

-- Leaves of a person what the law and the ledger need, under a pseudonym: orders without game accounts, postings, refunds, coupons,
-- the audit log. Raises SHOPE 41020 with a balance, 41021 with anything else that is open. Runs as its owner, because the program's
-- role may not change what is append-only.
create function account_erase(p_user bigint, p_pseudonym text, p_actor text, p_reason text) returns void
language plpgsql security definer as $$
declare
  u users;
  v_orders bigint[];
  v_phone text;
begin
  select * into u from users where id = p_user for update;
  if u.id is null or u.erased_at is not null then
    raise exception '41001' using errcode = 'SHOPE';
  elsif 'balance' = any (account_blockers(p_user)) then
    raise exception '41020' using errcode = 'SHOPE';
  elsif account_blockers(p_user) <> '{}' then
    raise exception '41021' using errcode = 'SHOPE';
  end if;
  v_phone := coalesce(u.phone, p_pseudonym);
  v_orders := array(select id from orders where user_id = p_user and hidden_at is null
    union all select id from orders where user_id = p_user and hidden_at is not null);

  perform set_config('shop.erasing', 'on', true);
  update orders set fields_masked = '[]', fields_cipher = null, network = null, refund_reason = '' where id = any (v_orders);
  update supplier_requests set detail = '' where order_id = any (v_orders);
  update order_events set note = '' where order_id = any (v_orders) and actor in ('user', 'staff') and kind not like 'refunded_part%';
  update order_refunds set reason = replace(reason, v_phone, p_pseudonym)
    where order_id = any (v_orders) and position(v_phone in reason) > 0;
  update ledger_transactions set remark = replace(remark, v_phone, p_pseudonym)
    where id in (select transaction_id from ledger_entries where user_id = p_user) and position(v_phone in remark) > 0;
  update audit_log set subject = replace(subject, v_phone, p_pseudonym), detail = replace(detail::text, v_phone, p_pseudonym)::jsonb
    where user_id = p_user and position(v_phone in subject || detail::text) > 0;
  perform set_config('shop.erasing', 'off', true);

  delete from sessions where user_id = p_user;
  delete from known_addresses where user_id = p_user;
  delete from known_devices where user_id = p_user;
  delete from idempotency_keys where user_id = p_user;
  delete from game_accounts where user_id = p_user;
  delete from verification_codes where phone = u.phone;
  delete from code_sends where phone = u.phone;
  delete from dev_outbox where phone = u.phone;
  delete from rate_limits where key = 'guess:' || u.phone or key like 'guess:' || u.phone || ':%';
  delete from business_enquiries where phone = u.phone;
  update uploads set removed_at = clock_timestamp() where user_id = p_user and removed_at is null;
  update users set phone = null, password_hash = null, openid = null, unionid = null, nickname = p_pseudonym, name = '', avatar = '',
      email = '', birthday = '', sex = 0, id_card_cipher = null, id_card_key = null, id_card_masked = '', is_real = 0, is_usable = 0,
      is_vip = false, invite_code = p_pseudonym, invited_by = null, close_requested_at = null, close_at = null,
      close_withdrawn_at = null, erased_at = clock_timestamp()
    where id = p_user;
  insert into audit_log (actor, action, subject, user_id, detail)
    values (p_actor, 'account.erase', p_pseudonym, p_user, jsonb_build_object('reason', replace(p_reason, v_phone, p_pseudonym)));
end $$;

-- Takes network addresses out of rows of the audit log from before p_before. Answers how many it were.
create function audit_forget_addresses(p_before timestamptz) returns bigint
language plpgsql security definer as $$
declare
  v_rows bigint;
begin
  perform set_config('shop.erasing', 'on', true);
  update audit_log set detail = detail - 'address' where at < p_before and detail ? 'address';
  get diagnostics v_rows = row_count;
  perform set_config('shop.erasing', 'off', true);
  return v_rows;
end $$;
create index audit_log_addresses on audit_log (at) where detail ? 'address';
do $$
declare
  v_function regprocedure;
begin
  foreach v_function in array array['account_erase', 'audit_forget_addresses']::regproc[] loop
    execute format('alter function %s set search_path = %I, pg_temp', v_function, current_schema());
  end loop;
end $$;
