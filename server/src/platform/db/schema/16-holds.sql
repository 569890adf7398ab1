-- Which paid orders are put on hold for review (docs/product.md). Without the row, or with it disabled, none are. A rule whose
-- value is null is off.
create table hold_settings (
  id boolean primary key default true check (id),
  enabled boolean not null,
  -- Minor units from which an order is put on hold.
  cny_from bigint check (cny_from > 0),
  usd_from bigint check (usd_from > 0),
  new_account_hours integer check (new_account_hours > 0),
  codes_per_hour integer check (codes_per_hour > 0),
  -- Countries from which payments are expected, if the provider reports the country; empty means all.
  countries text[] not null default '{}',
  -- Networks with an order that was refunded for its risk, or whose payment was disputed.
  networks boolean not null,
  minutes smallint not null check (minutes between 5 and 30),
  at_end text not null check (at_end in ('release', 'refund'))
);

-- Orders that were on hold; orders.held_until says whether one is now.
create table order_holds (
  order_id bigint primary key references orders (id),
  -- amount, new-account, codes, country, network
  reasons text[] not null,
  held_at timestamptz not null default clock_timestamp(),
  -- refunded: for its risk; cancelled: refunded for another reason, such as the buyer's request
  state text not null default 'held' check (state in ('held', 'released', 'refunded', 'cancelled')),
  ended_at timestamptz,
  -- staff, provider, or job: no one had decided by then
  ended_by text,
  check ((state = 'held') = (ended_at is null))
);
create index order_holds_refunded on order_holds (order_id) where state = 'refunded';
create index order_holds_newest on order_holds (held_at);

create table payment_countries (
  payment_id bigint primary key references payments (id),
  country char(2) not null,
  at timestamptz not null default clock_timestamp()
);
create index payment_countries_at on payment_countries (at);
