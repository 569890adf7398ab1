-- From when and until when articles, banners and modules of the home page are shown.
alter table articles
  add column published boolean not null default true,
  add column starts_at timestamptz,
  add column ends_at timestamptz,
  add check (ends_at is null or starts_at is null or ends_at > starts_at);
alter table swipers
  add column starts_at timestamptz,
  add column ends_at timestamptz,
  add check (ends_at is null or starts_at is null or ends_at > starts_at);
alter table custom_modules
  -- 1 shown, 2 hidden
  add column status smallint not null default 1 check (status in (1, 2)),
  add column starts_at timestamptz,
  add column ends_at timestamptz,
  add check (ends_at is null or starts_at is null or ends_at > starts_at);
