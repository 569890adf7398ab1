-- Two roles: whoever runs the migrations owns the tables; the servers act as shop_app, which cannot take back what has happened.
do $$ begin
  create role shop_app nologin;
exception when duplicate_object or unique_violation or insufficient_privilege then
  null; -- another database of the cluster has made it, or an administrator will (docs/operating.md)
end $$;
-- A superuser may take any role; another owner must be a member.
do $$ begin
  if not (select rolsuper from pg_roles where rolname = current_user) then
    execute format('grant shop_app to %I', current_user);
  end if;
exception when undefined_object or insufficient_privilege then
  null;
end $$;

-- Tables of which shop_app deletes nothing. Without may_update their rows never change either. grant_app_role gives the rights; where
-- there is only one role the triggers of refuse_change remain.
create table protected_tables (
  name text primary key,
  may_update boolean not null
);
insert into protected_tables (name, may_update) values
  ('audit_log', false),
  ('card_codes', true),
  ('invitations', true),
  ('ledger_entries', false),
  ('ledger_transactions', false),
  ('live_shop', false),
  ('order_events', false),
  ('order_holds', true),
  ('order_refunds', false),
  ('orders', true),
  ('payment_disputes', true),
  ('payment_refunds', true),
  ('payments', true),
  ('person_notes', false),
  ('provider_refunds', false),
  ('recharges', true),
  ('release_events', false),
  ('shared_code_orders', true),
  ('shared_code_texts', true),
  ('staff_people', true),
  ('staff_refunds', true),
  ('staff_wallet_acts', true),
  ('supplier_requests', true),
  ('users', true),
  ('wallets', true);

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  actor text not null,
  action text not null,
  user_id bigint,
  subject text not null default '',
  detail jsonb not null default '{}',
  -- From where: the network (as in rate_limits) and the session (the start of its token's hash) of whoever acted.
  network text,
  session text
);
create index audit_log_user on audit_log (user_id, at);
create index audit_log_at on audit_log (at);
-- Whether the codes of an order were shown, which the staff sees before it refunds.
create index audit_log_reveals on audit_log (subject) where action = 'cards.reveal';
-- What people at /staff have edited, newest first: entries with what was before.
create index audit_log_edits on audit_log (subject, id) where detail ? 'before';
-- What staff and ops did, newest first, of everybody or of one.
create index audit_log_acts on audit_log (at, id) where actor <> 'user';
create index audit_log_acts_of on audit_log (actor, at, id) where actor <> 'user';
create trigger audit_log_append_only before update or delete on audit_log
  for each row when (current_setting('shop.erasing', true) is distinct from 'on') execute function audit_log_guard();
create trigger audit_log_erasure before update or delete on audit_log
  for each row when (current_setting('shop.erasing', true) = 'on') execute function refuse_other_change('subject', 'detail');
create trigger audit_log_no_truncate before truncate on audit_log for each statement execute function refuse_change();
