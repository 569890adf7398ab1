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
  status smallint not null default 1,
  starts_at timestamptz,
  ends_at timestamptz,
  check (ends_at is null or starts_at is null or ends_at > starts_at)
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
  countdown_end timestamptz,
  -- 1 shown, 2 hidden
  status smallint not null default 1 check (status in (1, 2)),
  starts_at timestamptz,
  ends_at timestamptz,
  check (ends_at is null or starts_at is null or ends_at > starts_at)
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

create table articles (
  id text primary key,
  title_zh text not null,
  title_en text not null,
  content_zh text not null,
  content_en text not null,
  sort integer not null default 0,
  updated_at timestamptz not null default now(),
  published boolean not null default true,
  starts_at timestamptz,
  ends_at timestamptz,
  check (ends_at is null or starts_at is null or ends_at > starts_at)
);

create table app_config (
  key text primary key,
  value jsonb not null
);

create table business_enquiries (
  id bigint generated always as identity primary key,
  company text not null,
  contact text not null,
  phone text not null,
  email text not null default '',
  type text not null,
  content text not null,
  address text not null,
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  closed_by text not null default '',
  answer text not null default ''
);
create index business_enquiries_open on business_enquiries (id) where closed_at is null;
