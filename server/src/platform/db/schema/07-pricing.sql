-- The price of a specification from a quantity on. It applies if it is lower than the list price.
create table price_steps (
  spec_id bigint not null references goods_specs (id),
  currency char(3) not null check (currency in ('CNY', 'USD')),
  from_qty integer not null check (from_qty > 1),
  price bigint not null check (price > 0),
  primary key (spec_id, currency, from_qty)
);

create table levels (
  id bigint generated always as identity primary key,
  key text not null unique,
  name_zh text not null,
  name_en text not null,
  rank integer not null,
  percent integer not null default 100 check (percent between 1 and 100),
  -- The number of past days in which spending counts; null means that only staff give the level.
  period_days integer check (period_days between 1 and 3650),
  active boolean not null default true
);

create table level_thresholds (
  level_id bigint not null references levels (id),
  currency char(3) not null check (currency in ('CNY', 'USD')),
  amount bigint not null check (amount > 0),
  primary key (level_id, currency)
);

create table level_prices (
  level_id bigint not null references levels (id),
  spec_id bigint not null references goods_specs (id),
  currency char(3) not null check (currency in ('CNY', 'USD')),
  price bigint not null check (price > 0),
  primary key (level_id, spec_id, currency)
);

create table given_levels (
  user_id bigint primary key references users (id),
  level_id bigint not null references levels (id),
  -- null: permanently
  until timestamptz,
  given_by text not null,
  given_at timestamptz not null default clock_timestamp()
);
create index given_levels_level on given_levels (level_id);
