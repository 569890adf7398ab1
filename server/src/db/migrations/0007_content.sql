create table articles (
  id text primary key,
  title_zh text not null,
  title_en text not null,
  content_zh text not null,
  content_en text not null,
  sort integer not null default 0,
  updated_at timestamptz not null default now()
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
  created_at timestamptz not null default now()
);
create table uploads (
  path text primary key,
  user_id bigint not null references users (id),
  mime text not null,
  size integer not null,
  created_at timestamptz not null default now()
);
create table jobs (
  name text primary key,
  last_started_at timestamptz,
  last_finished_at timestamptz,
  last_error text,
  runs bigint not null default 0,
  done bigint not null default 0
);
