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
