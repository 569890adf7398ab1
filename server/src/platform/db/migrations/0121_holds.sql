insert into protected_tables (name, may_update) values ('order_holds', true);

alter table orders add column held_until timestamptz, add constraint orders_held_is_paid check (held_until is null or status = 12);
create index orders_held on orders (held_until) where held_until is not null;

create table hold_settings (
  id boolean primary key default true check (id),
  enabled boolean not null,
  cny_from bigint check (cny_from > 0),
  usd_from bigint check (usd_from > 0),
  new_account_hours integer check (new_account_hours > 0),
  codes_per_hour integer check (codes_per_hour > 0),
  countries text[] not null default '{}',
  networks boolean not null,
  minutes smallint not null check (minutes between 5 and 30),
  at_end text not null check (at_end in ('release', 'refund'))
);
create table order_holds (
  order_id bigint primary key references orders (id),
  reasons text[] not null,
  held_at timestamptz not null default clock_timestamp(),
  state text not null default 'held' check (state in ('held', 'released', 'refunded')),
  ended_at timestamptz,
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
create trigger users_erase_countries after update of erased_at on users
  for each row when (old.erased_at is null and new.erased_at is not null) execute function payment_countries_erase();
