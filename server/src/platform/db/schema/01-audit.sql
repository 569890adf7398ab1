create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  actor text not null,
  action text not null,
  user_id bigint,
  subject text not null default '',
  detail jsonb not null default '{}',
  -- Origin of the action: the network (as in rate_limits) and the session (a prefix of its token's hash).
  network text,
  session text
);
create index audit_log_user on audit_log (user_id, at);
create index audit_log_at on audit_log (at);
create index audit_log_reveals on audit_log (subject) where action = 'cards.reveal';
create index audit_log_edits on audit_log (subject, id) where detail ? 'before';
create index audit_log_acts on audit_log (at, id) where actor <> 'user';
create index audit_log_acts_of on audit_log (actor, at, id) where actor <> 'user';
create trigger audit_log_append_only before update or delete on audit_log
  for each row when (current_setting('shop.erasing', true) is distinct from 'on') execute function audit_log_guard();
create trigger audit_log_erasure before update or delete on audit_log
  for each row when (current_setting('shop.erasing', true) = 'on') execute function refuse_other_change('subject', 'detail');
create trigger audit_log_no_truncate before truncate on audit_log for each statement execute function refuse_change();
