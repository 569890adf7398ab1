insert into protected_tables (name, may_update) values ('invitations', true), ('invite_rewards', true);

create index known_devices_device on known_devices (device);

alter table ledger_transactions drop constraint ledger_transactions_type_check,
  add constraint ledger_transactions_type_check check (type between 0 and 8);
create unique index ledger_one_reward on ledger_transactions (order_id) where type = 7;
create index ledger_rewards_back on ledger_transactions (order_id) where type = 8;

create table invite_settings (
  id boolean primary key default true check (id),
  enabled boolean not null,
  percent smallint not null check (percent between 1 and 50),
  orders smallint not null check (orders between 1 and 100),
  within_days smallint not null check (within_days between 1 and 365),
  hold_days smallint not null check (hold_days between 1 and 90),
  people_per_day smallint not null check (people_per_day between 1 and 1000),
  cny_per_day bigint not null check (cny_per_day > 0),
  usd_per_day bigint not null check (usd_per_day > 0)
);
create table invitations (
  invitee_id bigint primary key references users (id),
  inviter_id bigint not null references users (id),
  state text not null check (state in ('counts', 'held', 'refused')),
  reasons text[] not null default '{}',
  percent smallint not null,
  orders smallint not null,
  created_at timestamptz not null default clock_timestamp(),
  ends_at timestamptz not null,
  decided_by bigint references staff_people (id),
  decided_at timestamptz,
  check (inviter_id <> invitee_id),
  check ((decided_by is null) = (decided_at is null))
);
create index invitations_inviter on invitations (inviter_id, created_at desc);
create index invitations_newest on invitations (created_at desc);
create index invitations_held on invitations (created_at desc) where state = 'held';
create index invitations_running on invitations (ends_at) where state <> 'refused';
create table invite_rewards (
  id bigint generated always as identity primary key,
  order_id bigint not null unique references orders (id),
  invitee_id bigint not null references invitations (invitee_id),
  inviter_id bigint not null references users (id),
  number smallint not null check (number > 0),
  currency char(3) not null,
  percent smallint not null,
  amount bigint not null check (amount >= 0),
  paid bigint not null default 0,
  taken_back bigint not null default 0,
  state text not null default 'waiting' check (state in ('waiting', 'paid', 'lapsed')),
  created_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null,
  paid_at timestamptz,
  settle_at timestamptz not null,
  unique (invitee_id, number),
  check (paid between 0 and amount),
  check (taken_back between 0 and paid),
  check (state = 'paid' or paid = 0)
);
create index invite_rewards_settle on invite_rewards (settle_at) where settle_at < 'infinity';
create index invite_rewards_inviter on invite_rewards (inviter_id, paid_at);
create table payers (
  user_id bigint not null references users (id),
  payer_hash bytea not null,
  seen_at timestamptz not null default clock_timestamp(),
  primary key (user_id, payer_hash)
);
create index payers_payer on payers (payer_hash);
create index payers_seen on payers (seen_at);
