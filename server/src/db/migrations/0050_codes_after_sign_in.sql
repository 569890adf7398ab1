-- A sign-in that proved the person shows the codes of what its session buys for some minutes without a further proof.
alter table sessions
  -- Null for a sign-in that proved nothing beyond an account of WeChat.
  add column fresh_until timestamptz;

-- Which session ordered what, while its sign-in is fresh.
create table session_orders (
  order_no text primary key,
  token_hash bytea not null references sessions (token_hash) on delete cascade,
  at timestamptz not null default clock_timestamp()
);
create index session_orders_session on session_orders (token_hash);
create index session_orders_at on session_orders (at);
