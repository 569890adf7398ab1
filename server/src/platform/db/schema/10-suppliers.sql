-- Requests to suppliers. A request is sent only once: the claim that changes state 0 to 1 sends it, and every later claim only
-- asks for the state.
create table supplier_requests (
  order_id bigint primary key references orders (id),
  supplier text not null,
  reference text not null unique,
  -- 0 to send, 1 open (the supplier may have it), 2 delivered, 3 refused or never sent, 4 delivered although it was refused and
  -- the order refunded: staff see it
  state smallint not null default 0,
  tries integer not null default 0,
  next_at timestamptz not null default clock_timestamp(),
  detail text not null default '',
  -- Counts claims; only the newest claim may book.
  lease integer not null default 0,
  sent_at timestamptz,
  -- The supplier refused once; the money is refunded when it has refused twice.
  refused_at timestamptz,
  constraint supplier_requests_state check (state between 0 and 4),
  constraint supplier_requests_sent check (state <> 1 or sent_at is not null)
);
create index supplier_requests_due on supplier_requests (next_at) where state in (0, 1, 3) and next_at < 'infinity';

-- The polls of each supplier for costs and stock.
create table suppliers (
  name text primary key,
  next_at timestamptz not null default clock_timestamp(),
  -- Counts polls; only the newest poll may store answers.
  lease integer not null default 1,
  -- Until then no other process asks; null when no poll is running.
  polling_until timestamptz,
  -- The start of the last poll, and the end of the last one without a fault.
  asked_at timestamptz,
  answered_at timestamptz,
  -- The start of the first poll with a fault since the last one without; null without a fault.
  failing_since timestamptz,
  fault text not null default '',
  -- The part of a price that must remain after the cost, as the server of the last poll is configured.
  margin_percent smallint not null default 0
);

-- The last usable answer of a supplier for a value.
create table supplier_offers (
  spec_id bigint primary key references goods_specs (id),
  supplier text not null,
  -- The offer counts only while the goods have this stock type.
  stock_type text not null,
  available boolean not null,
  -- Minor units per piece by currency: {"CNY": 420}.
  costs jsonb not null,
  answered_at timestamptz not null default clock_timestamp()
);
