-- People who work at /staff. Nobody is deleted: the audit log names them.
create table staff_people (
  id bigint generated always as identity primary key,
  name text not null,
  -- The name without differences that are easy to overlook, by which a sign-in finds it.
  name_key text not null unique,
  role text not null check (role in ('seller', 'stock', 'money', 'manager')),
  password_hash text not null,
  -- Secret of the authenticator app.
  totp_cipher bytea not null,
  totp_key text not null,
  -- The 30 s step of the last code that was used: each code signs in once.
  totp_step bigint not null default 0,
  created_at timestamptz not null default now(),
  disabled_at timestamptz
);
insert into protected_tables (name, may_update) values ('staff_people', true);

-- A token is opaque; only its SHA-256 is kept.
create table staff_sessions (
  token_hash bytea primary key,
  staff_id bigint not null references staff_people (id),
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index staff_sessions_person on staff_sessions (staff_id);
create index staff_sessions_expiry on staff_sessions (expires_at);
