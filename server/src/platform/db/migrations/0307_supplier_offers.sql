create table suppliers (
  name text primary key,
  next_at timestamptz not null default clock_timestamp(),
  lease integer not null default 1,
  polling_until timestamptz,
  asked_at timestamptz,
  answered_at timestamptz,
  failing_since timestamptz,
  fault text not null default '',
  margin_percent smallint not null default 0
);
create table supplier_offers (
  spec_id bigint primary key references goods_specs (id),
  supplier text not null,
  stock_type text not null,
  available boolean not null,
  costs jsonb not null,
  answered_at timestamptz not null default clock_timestamp()
);
alter table orders add column cost bigint check (cost >= 0);
alter table goods_specs add column supply_hold text check (supply_hold in ('out', 'cost')), add column supply_held_at timestamptz;
create index goods_specs_held on goods_specs (supply_held_at) where supply_hold is not null;
drop trigger stock_change on goods_specs;
create trigger stock_change after update of stock, supply_hold on goods_specs
  for each row when (stock_mark(old.stock) <> stock_mark(new.stock) or (old.supply_hold is null) <> (new.supply_hold is null))
  execute function note_stock_change();
