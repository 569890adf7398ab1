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
  sales bigint not null default 0,
  -- Names, aliases, full pinyin and initials, lower case and half width, computed on save.
  search_text text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (spec_type = 1 or (custom_min > 0 and custom_max >= custom_min and custom_step > 0))
);
create index goods_shelf on goods (status, sort, id);
create index goods_category on goods (category_id, status, sort, id);
create index goods_initial on goods (initial, status, sort, id);

create table goods_specs (
  id bigint generated always as identity primary key,
  goods_id bigint not null references goods (id),
  key text not null,
  name_zh text not null,
  name_en text not null,
  face_value text not null,
  max_qty integer not null default 99,
  -- Units left of goods that are not card codes; null is without a limit. Card codes are counted themselves.
  stock bigint check (stock >= 0),
  active boolean not null default true,
  sort integer not null default 0,
  unique (goods_id, key)
);

-- One row a currency: of a spec, or (spec_id null) of one unit of a custom value.
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

create table swipers (
  id bigint generated always as identity primary key,
  key text not null unique,
  channel smallint not null,
  title_zh text not null,
  title_en text not null,
  image text not null,
  alt_zh text not null,
  alt_en text not null,
  link_type smallint not null default 0,
  link_value text not null default '',
  sort integer not null default 0,
  status smallint not null default 1
);

create table custom_modules (
  id bigint generated always as identity primary key,
  key text not null unique,
  channel smallint not null,
  template smallint not null,
  title jsonb not null,
  subtitle jsonb not null,
  sort integer not null default 0,
  more_link text not null default '',
  countdown_hours integer,
  countdown_end timestamptz
);
create table custom_module_items (
  id bigint generated always as identity primary key,
  module_id bigint not null references custom_modules (id),
  kind text not null,
  goods_id bigint references goods (id),
  category_id bigint references categories (id),
  title jsonb,
  image text,
  tag jsonb,
  link_type smallint not null default 0,
  link_value text not null default '',
  sort integer not null default 0
);
create index custom_module_items_module on custom_module_items (module_id, sort);

create table hot_words (
  locale text not null,
  sort integer not null,
  word text not null,
  primary key (locale, sort)
);
