create table recharges (
  id bigint generated always as identity primary key,
  recharge_no text not null unique,
  user_id bigint not null references users (id),
  currency char(3) not null,
  amount bigint not null check (amount > 0),
  method text not null,
  state text not null default 'pending' check (state in ('pending', 'paid', 'closed')),
  created_at timestamptz not null default clock_timestamp(),
  expire_at timestamptz not null,
  paid_at timestamptz
);
create index recharges_user on recharges (user_id, id desc);

create table payments (
  id bigint generated always as identity primary key,
  payment_no text not null unique,
  user_id bigint not null references users (id),
  order_id bigint references orders (id),
  recharge_id bigint references recharges (id),
  method text not null,
  currency char(3) not null,
  amount bigint not null check (amount > 0),
  -- closed: the provider no longer accepts money for it.
  state text not null default 'pending' check (state in ('pending', 'paid', 'failed', 'closed')),
  provider_ref text,
  locale text not null default 'zh-CN',
  created_at timestamptz not null default clock_timestamp(),
  expire_at timestamptz not null,
  ended_at timestamptz,
  opened jsonb,
  ask_at timestamptz,
  asks integer not null default 0,
  check ((order_id is null) <> (recharge_id is null))
);
create index payments_order on payments (order_id) where order_id is not null;
create index payments_recharge on payments (recharge_id) where recharge_id is not null;
create unique index payments_provider_ref on payments (method, provider_ref) where provider_ref is not null;
create index payments_ask on payments (ask_at) where state = 'pending' and ask_at is not null;
create index payments_user on payments (user_id, id);
create index payments_ended_at on payments (ended_at) where state in ('paid', 'failed');
create trigger payments_end_once before update on payments for each row execute function payments_guard();

create table payment_refunds (
  id bigint generated always as identity primary key,
  refund_no text not null unique,
  payment_id bigint not null references payments (id),
  amount bigint not null check (amount > 0),
  state text not null default 'pending' check (state in ('pending', 'done', 'failed')),
  reason text not null default '',
  detail text not null default '',
  created_at timestamptz not null default clock_timestamp(),
  ask_at timestamptz not null default clock_timestamp(),
  asks integer not null default 0,
  ended_at timestamptz,
  -- The provider had accepted it, so a total that the provider reports may include it.
  accepted boolean not null default false
);
create index payment_refunds_payment on payment_refunds (payment_id);
create index payment_refunds_ask on payment_refunds (ask_at) where state = 'pending';

-- Refunds that the provider began, each booked once, however often it is reported.
create table provider_refunds (
  id bigint generated always as identity primary key,
  payment_id bigint not null references payments (id),
  provider_id text not null,
  amount bigint not null check (amount > 0),
  -- Money that the shopper had already received in another way and that could not be recovered: staff see it.
  lost bigint not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  unique (payment_id, provider_id)
);
create trigger provider_refunds_append_only before update or delete on provider_refunds
  for each row execute function refuse_change();
create trigger provider_refunds_no_truncate before truncate on provider_refunds
  for each statement execute function refuse_change();

-- Disputes, each change booked once, in any order of reports.
create table payment_disputes (
  id bigint generated always as identity primary key,
  payment_id bigint not null references payments (id),
  provider_id text not null,
  amount bigint not null check (amount > 0),
  reason text not null default '',
  state text not null default 'open' check (state in ('open', 'won', 'lost')),
  -- The provider has withdrawn the money, and returned it.
  withdrawn boolean not null default false,
  reinstated boolean not null default false,
  -- The amount frozen in the wallet until the dispute ends, if the payment's money went there.
  frozen bigint not null default 0,
  lost bigint not null default 0,
  opened_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  unique (payment_id, provider_id)
);
create index payment_disputes_open on payment_disputes (payment_id) where state = 'open';

-- Results of the daily reconciliation of a provider's list with the ledger; the newest run of a day.
create table reconciliations (
  method text not null,
  day date not null,
  entries integer not null,
  differences jsonb not null,
  run_at timestamptz not null default clock_timestamp(),
  primary key (method, day)
);
