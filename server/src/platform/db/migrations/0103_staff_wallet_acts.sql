-- Acts on a person's wallet, and money paid back out of it, each once under its number. amount: minor units.
create table staff_wallet_acts (
  id bigint generated always as identity primary key,
  -- The refund's number too, where money is paid back.
  act_no text not null unique,
  user_id bigint not null references users (id),
  kind text not null check (kind in ('credit', 'deduct', 'freeze', 'thaw', 'pay-back')),
  payment_no text references payments (payment_no),
  currency char(3) not null,
  amount bigint not null check (amount > 0),
  reason text not null,
  asked_by bigint not null references staff_people (id),
  asked_at timestamptz not null default clock_timestamp(),
  state text not null check (state in ('waiting', 'done', 'refused')),
  -- Null where nobody else was needed.
  decided_by bigint references staff_people (id),
  decided_at timestamptz,
  check ((kind = 'pay-back') = (payment_no is not null)),
  check (state <> 'waiting' or decided_by is null),
  check (state <> 'done' or decided_by is distinct from asked_by)
);
create index staff_wallet_acts_person on staff_wallet_acts (user_id, id);
create index staff_wallet_acts_waiting on staff_wallet_acts (id) where state = 'waiting';
insert into protected_tables (name, may_update) values ('staff_wallet_acts', true);

-- Units that come back with the amount; null for none.
alter table staff_refunds add column quantity integer check (quantity > 0);
