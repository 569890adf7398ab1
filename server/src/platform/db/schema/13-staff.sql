-- Members of staff who work at /staff. Rows are never deleted, because the audit log names them.
create table staff_people (
  id bigint generated always as identity primary key,
  name text not null,
  -- The name without differences that are easy to overlook; a sign-in looks it up.
  name_key text not null unique,
  role text not null check (role in ('seller', 'stock', 'money', 'manager', 'ops')),
  -- This and the next two columns are null until the user has used the single-use address.
  password_hash text,
  totp_cipher bytea,
  totp_key text,
  -- The 30 s step of the last used code: each code signs in once.
  totp_step bigint not null default 0,
  created_at timestamptz not null default now(),
  disabled_at timestamptz
);

-- Single-use addresses at which a member of staff chooses a password and receives an authenticator's secret. Only the token's
-- SHA-256 is stored.
create table staff_invitations (
  id bigint generated always as identity primary key,
  token_hash bytea not null unique,
  -- Null for a manager who does not exist yet.
  staff_id bigint unique references staff_people (id),
  -- The address that a start prints: valid while there are no staff.
  is_first boolean not null default false,
  totp_cipher bytea not null,
  totp_key text not null,
  expires_at timestamptz not null,
  check (staff_id is null or not is_first)
);
-- A new address invalidates the previous one.
create unique index staff_invitations_manager on staff_invitations (is_first) where staff_id is null;

-- A token is opaque; only its SHA-256 is stored.
create table staff_sessions (
  token_hash bytea primary key,
  staff_id bigint not null references staff_people (id),
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  code_at timestamptz not null default now()
);
create index staff_sessions_person on staff_sessions (staff_id);
create index staff_sessions_expiry on staff_sessions (expires_at);

-- The member of staff who works on an order, and until when. Meanwhile other staff cannot take it, and a supplier that has not
-- been asked yet is not asked.
create table staff_claims (
  order_id bigint primary key references orders (id),
  staff_id bigint not null references staff_people (id),
  taken_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);

-- Refunds of staff above the amount that needs a second member of staff. amount: minor units; null means all that is left.
create table staff_refunds (
  id bigint generated always as identity primary key,
  -- The refund's number once it is made; a repeated number is the same request.
  refund_no text not null unique,
  order_id bigint not null references orders (id),
  amount bigint check (amount > 0),
  target text not null check (target in ('wallet', 'source')),
  reason text not null,
  not_delivered boolean not null,
  revealed_ok boolean not null,
  asked_by bigint not null references staff_people (id),
  asked_at timestamptz not null default clock_timestamp(),
  state text not null default 'waiting' check (state in ('waiting', 'done', 'refused')),
  decided_by bigint references staff_people (id),
  decided_at timestamptz,
  -- Units returned with the amount; null for none.
  quantity integer check (quantity > 0),
  -- The codes of those units; null for the last ones.
  codes bigint[],
  -- The order was refunded for its risk: the buyer's unpaid orders are closed with it.
  risk boolean not null default false,
  check ((state = 'waiting') = (decided_by is null)),
  check (state <> 'done' or decided_by <> asked_by)
);
create unique index staff_refunds_waiting on staff_refunds (order_id) where state = 'waiting';

-- Staff actions on a user's wallet, and money refunded from it, each once by its number. amount: minor units.
create table staff_wallet_acts (
  id bigint generated always as identity primary key,
  -- Also the refund's number if money is paid back.
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
  -- Null if no second member of staff was needed.
  decided_by bigint references staff_people (id),
  decided_at timestamptz,
  check ((kind = 'pay-back') = (payment_no is not null)),
  check (state <> 'waiting' or decided_by is null),
  check (state <> 'done' or decided_by is distinct from asked_by)
);
create index staff_wallet_acts_person on staff_wallet_acts (user_id, id);
create index staff_wallet_acts_waiting on staff_wallet_acts (id) where state = 'waiting';

-- Gifts of each member of staff to shoppers that need no second member of staff. amount: minor units.
create table staff_gifts (
  id bigint generated always as identity primary key,
  staff_id bigint not null references staff_people (id),
  currency char(3) not null,
  amount bigint not null check (amount > 0),
  at timestamptz not null default clock_timestamp()
);
create index staff_gifts_of_day on staff_gifts (staff_id, at);

create table person_notes (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  staff_id bigint not null references staff_people (id),
  at timestamptz not null default clock_timestamp(),
  note text not null
);
create index person_notes_of on person_notes (user_id, id desc);
create trigger person_notes_append_only before update or delete on person_notes
  for each row when (current_setting('shop.erasing', true) is distinct from 'on') execute function refuse_change();
create trigger person_notes_erasure before update or delete on person_notes
  for each row when (current_setting('shop.erasing', true) = 'on') execute function refuse_other_change('note');
