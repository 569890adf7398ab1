-- Calls that were made under an Idempotency-Key, with the envelope of the response. Its data are those of the database function where
-- one made them (order_create, order_pay); the program words them anew for each replay.
create table idempotency_keys (
  user_id bigint not null references users (id),
  route text not null,
  key text not null,
  body_hash bytea not null,
  created_at timestamptz not null default now(),
  response json not null,
  primary key (user_id, route, key)
);
create index idempotency_keys_created on idempotency_keys (created_at);

create table rate_limits (
  key text primary key,
  hits integer not null,
  resets_at timestamptz not null
);
create index rate_limits_resets on rate_limits (resets_at);

create table jobs (
  name text primary key,
  last_started_at timestamptz,
  last_finished_at timestamptz,
  last_error text,
  runs bigint not null default 0,
  done bigint not null default 0
);

-- The keys that values were encrypted with, each with a known text encrypted by it: a start tells a wrong or missing key by it.
create table encryption_keys (
  id text primary key,
  check_cipher bytea,
  created_at timestamptz not null default now()
);

-- Has its one row from the first start with real payments on: the database's codes are then sold for money, for good.
create table live_shop (
  only_row boolean primary key default true check (only_row),
  since timestamptz not null default clock_timestamp()
);
create trigger live_shop_append_only before update or delete on live_shop for each row execute function refuse_change();

-- What was changed of what every visitor sees. Written by triggers in the transaction of the change itself, so whoever sees the
-- change sees the row too; a server compares it with the snapshot that its answers in memory stem from.
-- Rows are added only, so two orders never wait for each other here. goods_id: the stock of these goods, or 0 for anything else.
create table public_changes (
  xid xid8 not null default pg_current_xact_id(),
  goods_id bigint not null,
  at timestamptz not null default clock_timestamp(),
  primary key (xid, goods_id)
);
