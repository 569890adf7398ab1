create table card_batches (
  id bigint generated always as identity primary key,
  name text not null,
  supplier text not null,
  cost bigint check (cost >= 0),
  currency char(3) not null,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp()
);
create table staff_code_exports (
  id bigint generated always as identity primary key,
  batch_id bigint not null references card_batches (id),
  codes integer not null check (codes > 0),
  reason text not null,
  asked_by bigint not null references staff_people (id),
  asked_at timestamptz not null default clock_timestamp(),
  state text not null default 'waiting' check (state in ('waiting', 'done', 'refused')),
  decided_by bigint references staff_people (id),
  decided_at timestamptz,
  check (state <> 'done' or decided_by is distinct from asked_by)
);
create index staff_code_exports_batch on staff_code_exports (batch_id);
create unique index staff_code_exports_waiting on staff_code_exports (batch_id) where state = 'waiting';
create index staff_code_exports_of_day on staff_code_exports (asked_by, asked_at);
alter table card_codes
  add column batch_id bigint references card_batches (id),
  add column export_id bigint references staff_code_exports (id);
create index card_codes_batch on card_codes (batch_id, spec_id, state, expire_at) where batch_id is not null;
create index card_codes_export on card_codes (export_id, id) where export_id is not null;
