-- How invitations count (docs/adr/0071-invitations-that-count.md). Without the row, or with it not enabled, they do not.
create table invite_settings (
  id boolean primary key default true check (id),
  enabled boolean not null,
  -- Of what an order brought, in percent.
  percent smallint not null check (percent between 1 and 50),
  -- How many finished orders of somebody invited count, and for how many days after they registered.
  orders smallint not null check (orders between 1 and 100),
  within_days smallint not null check (within_days between 1 and 365),
  -- From the delivery of an order to its reward: the time for refunds.
  hold_days smallint not null check (hold_days between 1 and 90),
  -- Of one inviter within 24 hours: people beyond it are held, money beyond it waits. Minor units.
  people_per_day smallint not null check (people_per_day between 1 and 1000),
  cny_per_day bigint not null check (cny_per_day > 0),
  usd_per_day bigint not null check (usd_per_day > 0)
);

-- Who came by whose code: a person once, when they register. percent, orders and ends_at are what was promised then.
create table invitations (
  invitee_id bigint primary key references users (id),
  inviter_id bigint not null references users (id),
  state text not null check (state in ('counts', 'held', 'refused')),
  -- Why it does not count by itself: own-device, device, network, day, payment.
  reasons text[] not null default '{}',
  percent smallint not null,
  orders smallint not null,
  created_at timestamptz not null default clock_timestamp(),
  ends_at timestamptz not null,
  -- Staff; from then on nothing holds it by itself.
  decided_by bigint references staff_people (id),
  decided_at timestamptz,
  check (inviter_id <> invitee_id),
  check ((decided_by is null) = (decided_at is null))
);
create index invitations_inviter on invitations (inviter_id, created_at desc);
create index invitations_newest on invitations (created_at desc);
create index invitations_held on invitations (created_at desc) where state = 'held';
create index invitations_running on invitations (ends_at) where state <> 'refused';

-- The inviter's share of an order. number: which of the orders that count.
create table invite_rewards (
  id bigint generated always as identity primary key,
  order_id bigint not null unique references orders (id),
  invitee_id bigint not null references invitations (invitee_id),
  inviter_id bigint not null references users (id),
  number smallint not null check (number > 0),
  currency char(3) not null,
  percent smallint not null,
  -- The most that it can be: the share of what was paid, at most the money of a day.
  amount bigint not null check (amount >= 0),
  paid bigint not null default 0,
  taken_back bigint not null default 0,
  -- lapsed: nothing is paid, because the order was refunded, the invitation refused, or the inviter's account closed.
  state text not null default 'waiting' check (state in ('waiting', 'paid', 'lapsed')),
  created_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null,
  paid_at timestamptz,
  -- When the job looks at it next: when it is due, and after each refund of its order.
  settle_at timestamptz not null,
  unique (invitee_id, number),
  check (paid between 0 and amount),
  check (taken_back between 0 and paid),
  check (state = 'paid' or paid = 0)
);
create index invite_rewards_settle on invite_rewards (settle_at) where settle_at < 'infinity';
create index invite_rewards_inviter on invite_rewards (inviter_id, paid_at);
create trigger orders_refund_of_reward after update of refunded_amount on orders
  for each row when (new.refunded_amount <> old.refunded_amount) execute function note_reward_refund();

-- SHA-256 of what the provider calls whoever has paid, kept only while invitations count: the same payer behind two accounts holds one.
create table payers (
  user_id bigint not null references users (id),
  payer_hash bytea not null,
  seen_at timestamptz not null default clock_timestamp(),
  primary key (user_id, payer_hash)
);
create index payers_payer on payers (payer_hash);
create index payers_seen on payers (seen_at);

create trigger users_erase_invitations after update of erased_at on users
  for each row when (old.erased_at is null and new.erased_at is not null) execute function invitations_erase();
