-- status and delivery_status: 10/0 unpaid (or closed, with closed_at), 12/10 paid and waiting for delivery, 30/20 delivered, 60
-- refunded with its last delivery status.
create table orders (
  id bigint generated always as identity primary key,
  order_no text not null unique,
  user_id bigint not null references users (id),
  goods_id bigint not null references goods (id),
  spec_id bigint references goods_specs (id),
  custom_value bigint,
  quantity integer not null check (quantity > 0),
  currency char(3) not null,
  unit_price bigint not null check (unit_price >= 0),
  original_amount bigint not null,
  coupon_discount bigint not null default 0,
  total_amount bigint not null,
  user_coupon_id bigint references user_coupons (id),
  recharge_type smallint not null,
  stock_type text not null,
  status smallint not null default 10 check (status in (10, 12, 30, 60)),
  delivery_status smallint not null default 0 check (delivery_status in (0, 10, 20)),
  snapshot jsonb not null,
  fields_masked jsonb not null default '[]',
  fields_cipher bytea,
  fields_key text,
  pay_method text,
  payment_id bigint,
  refund_state text not null default 'none',
  refund_reason text not null default '',
  refund_requested_at timestamptz,
  refunded_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  expire_at timestamptz not null,
  paid_at timestamptz,
  finished_at timestamptz,
  closed_at timestamptz,
  close_reason smallint not null default 0,
  hidden_at timestamptz,
  -- Network of the shopper, as in rate_limits; null after its retention period.
  network text,
  refunded_amount bigint not null default 0,
  refunded_quantity integer not null default 0,
  -- While its payment is disputed, an order shows no code, goes to no supplier and is not refunded.
  disputed boolean not null default false,
  -- Paid and on hold for review until this time; otherwise null.
  held_until timestamptz,
  -- The counter of its specification that it took its pieces from; null without one.
  counter integer,
  -- What the supplier took for the pieces that it delivered, in the currency of the order; null where that is unknown.
  cost bigint check (cost >= 0),
  constraint orders_held_is_paid check (held_until is null or status = 12),
  check (total_amount = original_amount - coupon_discount and coupon_discount between 0 and original_amount),
  -- A level takes its percentage off the whole amount of a custom value, whose unit price remains the list price.
  check (case when custom_value is null then original_amount = unit_price * quantity
    else original_amount between 0 and unit_price * custom_value * quantity end),
  check ((status = 10) = (delivery_status = 0)),
  check (status <> 30 or delivery_status = 20),
  check (status <> 12 or delivery_status = 10),
  check (closed_at is null or status = 10),
  check (refunded_amount between 0 and total_amount),
  check (refunded_quantity between 0 and quantity),
  check (status <> 60 or refunded_amount = total_amount)
);
create index orders_user on orders (user_id, id desc) where hidden_at is null;
create index orders_unpaid on orders (expire_at) where status = 10 and closed_at is null;
create index orders_user_goods on orders (user_id, goods_id, created_at) where closed_at is null;
create index orders_open on orders (user_id) where status = 10 and closed_at is null;
create index orders_waiting on orders (paid_at) where status = 12 or refund_state = 'requested';
create index orders_hidden on orders (user_id, id) where hidden_at is not null;
-- Finds the orders whose network must be erased without reading all orders of that age.
create index orders_networks on orders (created_at) where network is not null;
create index orders_delivered on orders (goods_id, finished_at desc) include (paid_at, quantity, refunded_quantity) where status = 30;
create index orders_held on orders (held_until) where held_until is not null;
-- Orders of card codes wait only while they are on hold, so they are in neither index.
create index orders_wait_for_delivery on orders (paid_at) where status = 12 and recharge_type <> 1;
create index orders_refund_requested on orders (refund_requested_at) where refund_state = 'requested';
create index orders_paid_at on orders (paid_at) where paid_at is not null;
create index orders_finished_at on orders (finished_at) where recharge_type <> 1 and finished_at is not null;
-- The list of all orders of the staff console reads these; list-query.ts has their expressions.
create index orders_created_at on orders (created_at, id);
create index orders_facets on orders (
  currency, recharge_type, stock_type, (case when closed_at is null then status else 0 end), delivery_status,
  (coalesce(pay_method, '')), created_at, id
);
create index orders_goods on orders (goods_id, (coalesce(spec_id, 0)), created_at, id);
create index orders_amount on orders (currency, total_amount, id);
create index orders_level on orders (
  ((jsonb_path_query_first(snapshot, '$.price.parts[*] ? (@.kind == "level").level'))::bigint), created_at, id
) where (jsonb_path_query_first(snapshot, '$.price.parts[*] ? (@.kind == "level").level'))::bigint is not null;

create table order_events (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders (id),
  at timestamptz not null default clock_timestamp(),
  kind text not null,
  status smallint not null,
  delivery_status smallint not null,
  note text not null default '',
  actor text not null default 'system'
);
create index order_events_order on order_events (order_id, id);
create trigger order_events_append_only before update or delete on order_events
  for each row when (current_setting('shop.erasing', true) is distinct from 'on') execute function refuse_change();
create trigger order_events_erasure before update or delete on order_events
  for each row when (current_setting('shop.erasing', true) = 'on') execute function refuse_other_change('note');
create trigger order_events_no_truncate before truncate on order_events for each statement execute function refuse_change();

create table order_refunds (
  id bigint generated always as identity primary key,
  refund_no text not null unique,
  order_id bigint not null references orders (id),
  amount bigint not null check (amount >= 0),
  quantity integer not null check (quantity >= 0),
  -- wallet, or source: the money goes on from the wallet to the origin of the payment, by the payment refund of the same number
  target text not null check (target in ('wallet', 'source')),
  reason text not null default '',
  actor text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index order_refunds_order on order_refunds (order_id);
create trigger order_refunds_append_only before update or delete on order_refunds
  for each row when (current_setting('shop.erasing', true) is distinct from 'on') execute function refuse_change();
create trigger order_refunds_erasure before update or delete on order_refunds
  for each row when (current_setting('shop.erasing', true) = 'on') execute function refuse_other_change('reason');
create trigger refuse_refund_while_disputed before insert on order_refunds
  for each row when (new.actor <> 'provider') execute function refuse_refund_while_disputed();
create trigger order_refunds_no_truncate before truncate on order_refunds for each statement execute function refuse_change();

-- The session that placed an order, while its sign-in is fresh.
create table session_orders (
  order_no text primary key,
  token_hash bytea not null references sessions (token_hash) on delete cascade,
  at timestamptz not null default clock_timestamp()
);
create index session_orders_session on session_orders (token_hash);
create index session_orders_at on session_orders (at);
