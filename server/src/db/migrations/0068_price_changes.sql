-- Prices from a time on, by people at /staff; with an end the prices of before come back then.
create table price_changes (
  id bigint generated always as identity primary key,
  goods_id bigint not null references goods (id),
  -- null: the price of one unit of a custom value
  spec_id bigint references goods_specs (id),
  -- Minor units by currency.
  prices jsonb not null,
  starts_at timestamptz not null,
  ends_at timestamptz check (ends_at > starts_at),
  -- failed: the value was taken off sale; missed: it had ended before any server was there to begin it
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'cancelled', 'failed', 'missed')),
  -- By currency price and original price as they were; once it runs.
  before jsonb,
  asked_by text not null,
  created_at timestamptz not null default now(),
  check (state <> 'running' or (before is not null and ends_at is not null))
);
create index price_changes_start on price_changes (starts_at) where state = 'waiting';
create index price_changes_end on price_changes (ends_at) where state = 'running';
create index price_changes_goods on price_changes (goods_id, id);
insert into protected_tables (name, may_update) values ('price_changes', true);
