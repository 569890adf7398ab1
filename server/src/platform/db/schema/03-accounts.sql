create table users (
  id bigint generated always as identity primary key,
  phone text unique,
  password_hash text,
  openid text unique,
  nickname text not null default '',
  name text not null default '',
  avatar text not null default '',
  email text not null default '',
  birthday text not null default '',
  sex smallint not null default 0 check (sex in (0, 1, 2)),
  id_card_cipher bytea,
  id_card_key text,
  id_card_masked text not null default '',
  is_real smallint not null default 0,
  is_usable smallint not null default 1,
  is_vip boolean not null default false,
  invite_code text not null unique,
  created_at timestamptz not null default now(),
  unionid text unique,
  close_requested_at timestamptz,
  -- The time at which a closed account is erased; a sign-in before that withdraws the closure.
  close_at timestamptz,
  close_withdrawn_at timestamptz,
  erased_at timestamptz,
  notices_read bigint not null default 0,
  -- Address with which an account without a phone number signs in and receives its codes; `email` is the unverified address of
  -- the profile.
  sign_in_email text unique,
  -- An account has only one identifier, so it is always clear which one receives a code.
  constraint users_one_identifier check (phone is null or sign_in_email is null)
);
create index users_close on users (close_at) where close_at is not null;
create index users_email on users (lower(email)) where email <> '';

-- A token is opaque; only its SHA-256 is stored.
create table sessions (
  token_hash bytea primary key,
  user_id bigint not null references users (id),
  address text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  id uuid not null default gen_random_uuid() unique,
  browser text not null default '',
  system text not null default '',
  seen_at timestamptz not null default now(),
  -- SHA-256 of the device cookie. Spending from a wallet needs a proof beyond the session's token: on a device where the user has
  -- proved nothing yet, and above an amount.
  device bytea,
  -- Last proof of the user, by sign-in or on request; null on a new device until there is one.
  proved_at timestamptz,
  -- Minor units by currency that were spent without a recent proof since spent_since.
  spent jsonb not null default '{}',
  spent_since timestamptz not null default now(),
  -- Until this time the session shows the codes of its orders without another proof. Null for a WeChat sign-in that proved
  -- nothing else.
  fresh_until timestamptz,
  -- SHA-256 of the browser's cookie for documents. It gives access to documents with the data of the session's user, but not to
  -- the API.
  document_hash bytea unique,
  -- Links these documents to the token in the browser's storage: its first characters, which do not reveal the rest.
  token_start text not null default ''
);
create index sessions_user on sessions (user_id, address);
create index sessions_expiry on sessions (expires_at);

-- Networks from which a user has signed in before. Failed attempts from other networks cannot lock these out.
create table known_addresses (
  user_id bigint not null references users (id),
  address text not null,
  seen_at timestamptz not null default now(),
  primary key (user_id, address)
);
create index known_addresses_seen on known_addresses (seen_at);

create table known_devices (
  user_id bigint not null references users (id),
  device bytea not null,
  proved_at timestamptz not null default now(),
  primary key (user_id, device)
);
create index known_devices_device on known_devices (device);

-- One current code per purpose and phone number or sign-in email address; `phone` contains either. A row without a hash counts
-- wrong attempts for an identifier without a code, so that both get the same responses.
create table verification_codes (
  phone text not null,
  code_hash bytea,
  tries smallint not null default 0,
  used boolean not null default false,
  expires_at timestamptz not null,
  purpose text not null,
  primary key (phone, purpose)
);
create index verification_codes_expiry on verification_codes (expires_at);

-- For rate limits; `phone` is the phone number or the normalized email address (server/src/platform/emails/email.ts).
create table code_sends (
  id bigint generated always as identity primary key,
  phone text not null,
  address text not null,
  at timestamptz not null default clock_timestamp(),
  purpose text not null default 'login'
);
create index code_sends_phone on code_sends (phone, at);
create index code_sends_address on code_sends (address, at);
create index code_sends_at on code_sends (at);

-- The development outbox: the sandbox SMS provider writes here. It is always empty in production.
create table dev_outbox (
  id bigint generated always as identity primary key,
  phone text not null,
  code text not null,
  at timestamptz not null default clock_timestamp()
);
create index dev_outbox_phone on dev_outbox (phone, id desc);

create table dev_mails (
  id bigint generated always as identity primary key,
  recipient text not null,
  subject text not null,
  text text not null,
  message_id text not null,
  unsubscribe text not null,
  at timestamptz not null default clock_timestamp()
);
create index dev_mails_recipient on dev_mails (recipient, id desc);

create table game_accounts (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  goods_id bigint not null,
  label text not null,
  fields jsonb not null,
  created_at timestamptz not null default now()
);
create index game_accounts_user on game_accounts (user_id, goods_id);

create table favourites (
  user_id bigint not null references users (id),
  goods_id bigint not null references goods (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, goods_id)
);
create index favourites_newest on favourites (user_id, created_at desc);

create table uploads (
  path text primary key,
  user_id bigint not null references users (id),
  mime text not null,
  size integer not null,
  created_at timestamptz not null default now(),
  -- A removed image is no longer served; the next run of the job deletes its file.
  removed_at timestamptz
);
create index uploads_removed on uploads (removed_at) where removed_at is not null;
create index uploads_user on uploads (user_id);
