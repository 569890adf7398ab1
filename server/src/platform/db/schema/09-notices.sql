create table notice_settings (
  user_id bigint primary key references users (id),
  -- The address that its owner has confirmed. It receives mails while it is the profile's.
  confirmed_email text not null default '',
  locale text not null,
  -- {"mail:delivered": false}: choices that differ from the kind's default.
  choices jsonb not null default '{}',
  -- The time since which a channel has existed for this user; earlier events are not sent.
  since timestamptz not null default clock_timestamp()
);

-- Browsers that receive push messages. Each belongs to a session and is deleted with it, so that after a sign-out no device shows
-- another user's notices.
create table push_subscriptions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  session_hash bytea not null references sessions (token_hash) on delete cascade,
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index push_subscriptions_user on push_subscriptions (user_id);
create index push_subscriptions_session on push_subscriptions (session_hash);

-- Notices to send and sent ones. A server that claims one postpones due_at, and any server that finds it due later claims it
-- again: delivery is at least once.
create table notices (
  id bigint generated always as identity primary key,
  -- Null for staff, whose receiver is in the data.
  user_id bigint references users (id),
  channel text not null check (channel in ('mail', 'push', 'webhook', 'chat')),
  kind text not null,
  -- The subject. A notice about the same subject is sent once.
  about text not null,
  data jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'dropped')),
  tries integer not null default 0,
  due_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  detail text not null default ''
);
create unique index notices_once on notices (coalesce(user_id, 0), channel, kind, about);
create index notices_due on notices (due_at) where state = 'waiting';
create index notices_person on notices (user_id, channel, id);
create index notices_created on notices (created_at);

create table notice_progress (
  only_row boolean primary key default true check (only_row),
  last_event bigint not null
);

create table stock_wishes (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  spec_id bigint not null references goods_specs (id),
  created_at timestamptz not null default clock_timestamp(),
  told_at timestamptz
);
create unique index stock_wishes_waiting on stock_wishes (user_id, spec_id) where told_at is null;
create index stock_wishes_order on stock_wishes (spec_id, id) where told_at is null;
create index stock_wishes_told on stock_wishes (spec_id, told_at) where told_at is not null;
create index stock_wishes_created on stock_wishes (created_at);
