create table categories (
  id bigint generated always as identity primary key,
  key text not null unique,
  name_zh text not null,
  name_en text not null,
  icon text not null default '',
  sort integer not null default 0
);

create table goods (
  id bigint generated always as identity primary key,
  key text not null unique,
  category_id bigint not null references categories (id),
  name_zh text not null,
  name_en text not null,
  aliases text[] not null default '{}',
  initial char(1) not null default '#',
  image text not null default '',
  images text[] not null default '{}',
  status smallint not null default 1 check (status in (1, 2, 3)),
  recharge_type smallint not null check (recharge_type between 1 and 4),
  spec_type smallint not null check (spec_type in (1, 2)),
  stock_type text not null default 'stock',
  description_zh text not null default '',
  description_en text not null default '',
  notice_zh text not null default '',
  notice_en text not null default '',
  tags jsonb not null default '[]',
  fields jsonb not null default '[]',
  min_qty integer not null default 1,
  max_qty integer not null default 99,
  per_user integer not null default 0,
  per_day integer not null default 0,
  need_verify_account boolean not null default false,
  custom_min bigint,
  custom_max bigint,
  custom_step bigint,
  custom_unit jsonb,
  sort integer not null default 0,
  -- Pieces of its delivered orders. A job counts them, so that orders of the same goods do not wait for each other.
  sales bigint not null default 0,
  -- Names, aliases, pinyin and its initials without accents, lower case and half width, computed on save. Begins with its format.
  search_text text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Stored in the row, because a plan that scans all rows must not compute it for each.
  search_grams text[] not null generated always as (search_grams(search_text)) stored,
  -- The median time from payment to delivery of its last 30 delivered orders; null below three, because a median of so few is
  -- meaningless.
  delivery_seconds integer check (delivery_seconds >= 0),
  -- Where and how to redeem the purchase: one step per line.
  redeem_zh text not null default '',
  redeem_en text not null default '',
  check (spec_type = 1 or (custom_min > 0 and custom_max >= custom_min and custom_step > 0))
);
create index goods_shelf on goods (status, sort, id);
create index goods_category on goods (category_id, status, sort, id);
create index goods_initial on goods (initial, status, sort, id);
create index goods_search on goods using gin (search_grams);
create index goods_search_old on goods (id) where not starts_with(search_text, '~');
create trigger shelf_follow after update on goods referencing old table as removed new table as added
  for each statement execute function shelf_follow_goods();

create table goods_specs (
  id bigint generated always as identity primary key,
  goods_id bigint not null references goods (id),
  key text not null,
  name_zh text not null,
  name_en text not null,
  face_value text not null,
  max_qty integer not null default 99,
  -- Remaining units of goods that are not card codes, and of a specification that sells one text many times; null means
  -- unlimited. Other card codes are counted individually.
  stock bigint check (stock >= 0),
  active boolean not null default true,
  sort integer not null default 0,
  -- The number of pieces from which a specification counts as low; null means the shop's ten.
  low_stock integer check (low_stock >= 0),
  -- A specification of card codes that sells one text to all its buyers.
  shared boolean not null default false,
  -- Identifies the counter in `stock`; an order returns its pieces only to the counter that it took them from.
  counter integer not null default 1,
  -- Why shoppers see it as sold out, even with stock: it is out at its supplier, or costs more there than it brings.
  -- supply_refresh sets it.
  supply_hold text check (supply_hold in ('out', 'cost')),
  supply_held_at timestamptz,
  unique (goods_id, key)
);
create index goods_specs_held on goods_specs (supply_held_at) where supply_hold is not null;
create trigger goods_specs_begin_counter before update of stock, shared on goods_specs
  for each row when ((old.stock is null) <> (new.stock is null) or old.shared <> new.shared) execute function goods_specs_begin_counter();
create trigger public_change
  after insert or delete or truncate
     or update of goods_id, key, name_zh, name_en, face_value, max_qty, active, sort, shared on goods_specs
  for each statement execute function note_public_change();
-- Every change locks the counter, so comparing the old and new row shows whether the stock mark changed.
create trigger stock_change after update of stock, supply_hold on goods_specs
  for each row when (stock_mark(old.stock) <> stock_mark(new.stock) or (old.supply_hold is null) <> (new.supply_hold is null))
  execute function note_stock_change();
create trigger shelf_follow after update on goods_specs referencing old table as removed new table as added
  for each statement execute function shelf_follow_specs();

-- One row per currency: of a spec, or (spec_id null) of one unit of a custom value.
create table prices (
  id bigint generated always as identity primary key,
  goods_id bigint not null references goods (id),
  spec_id bigint references goods_specs (id),
  currency char(3) not null check (currency in ('CNY', 'USD')),
  price bigint not null check (price >= 0),
  original_price bigint not null check (original_price >= 0)
);
create unique index prices_spec on prices (spec_id, currency) where spec_id is not null;
create unique index prices_custom on prices (goods_id, currency) where spec_id is null;
create index prices_goods on prices (goods_id, currency, price);
create trigger shelf_follow_added after insert on prices referencing new table as added
  for each statement execute function shelf_follow_rows();
create trigger shelf_follow_removed after delete on prices referencing old table as removed
  for each statement execute function shelf_follow_rows();
create trigger shelf_follow_changed after update on prices referencing old table as removed new table as added
  for each statement execute function shelf_follow_rows();

-- The source of all lists of goods: one row for each goods on a shelf and each of its currencies, maintained by triggers. Every
-- sort order of a list is an index here, so a page costs the same in a shop of a hundred goods and of a hundred thousand.
create table shelf (
  goods_id bigint not null references goods (id) on delete cascade,
  currency char(3) not null,
  status smallint not null,
  category_id bigint not null,
  initial char(1) not null,
  recharge_type smallint not null,
  sort integer not null,
  sales bigint not null,
  min_price bigint not null,
  primary key (goods_id, currency)
);
create index shelf_sort on shelf (currency, sort, goods_id);
create index shelf_category on shelf (currency, category_id, sort, goods_id);
create index shelf_type on shelf (currency, recharge_type, sort, goods_id);
create index shelf_initial on shelf (currency, initial, sort, goods_id);
create index shelf_sales on shelf (currency, sales desc, sort, goods_id);
create index shelf_newest on shelf (currency, goods_id desc);
create index shelf_price on shelf (currency, min_price, goods_id);
create trigger shelf_added after insert on shelf referencing new table as added
  for each statement execute function shelf_count();
create trigger shelf_removed after delete on shelf referencing old table as removed
  for each statement execute function shelf_count();
create trigger shelf_moved after update on shelf referencing old table as removed new table as added
  for each statement execute function shelf_count();

create table shelf_counts (
  currency char(3) not null,
  status smallint not null,
  category_id bigint not null,
  initial char(1) not null,
  recharge_type smallint not null,
  goods bigint not null,
  primary key (currency, status, category_id, initial, recharge_type)
);
