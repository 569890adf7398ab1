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
  invited_by bigint references users (id),
  created_at timestamptz not null default now()
);

-- A token is opaque; only its SHA-256 is kept.
create table sessions (
  token_hash bytea primary key,
  user_id bigint not null references users (id),
  address text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_user on sessions (user_id, address);
create index sessions_expiry on sessions (expires_at);

-- Addresses from which a person has signed in before: guessing from elsewhere can't lock these out.
create table known_addresses (
  user_id bigint not null references users (id),
  address text not null,
  primary key (user_id, address)
);

-- One live code a phone.
create table verification_codes (
  phone text primary key,
  code_hash bytea not null,
  tries smallint not null default 0,
  used boolean not null default false,
  expires_at timestamptz not null
);
create table code_sends (
  id bigint generated always as identity primary key,
  phone text not null,
  address text not null,
  at timestamptz not null default clock_timestamp()
);
create index code_sends_phone on code_sends (phone, at);
create index code_sends_address on code_sends (address, at);
create index code_sends_at on code_sends (at);

-- The development outbox: the sandbox SMS provider writes here. Always empty in production.
create table dev_outbox (
  id bigint generated always as identity primary key,
  phone text not null,
  code text not null,
  at timestamptz not null default clock_timestamp()
);
create index dev_outbox_phone on dev_outbox (phone, id desc);

create table rate_limits (
  key text primary key,
  hits integer not null,
  resets_at timestamptz not null
);
create index rate_limits_resets on rate_limits (resets_at);

-- Counts one hit and answers how many there were in the running window, this one included.
create function rate_limit_hit(p_key text, p_seconds integer) returns integer language sql as $$
  insert into rate_limits as r (key, hits, resets_at)
  values (p_key, 1, clock_timestamp() + make_interval(secs => p_seconds))
  on conflict (key) do update
    set hits = case when r.resets_at <= clock_timestamp() then 1 else r.hits + 1 end,
        resets_at = case when r.resets_at <= clock_timestamp() then excluded.resets_at else r.resets_at end
  returning hits;
$$;

create table idempotency_keys (
  user_id bigint not null references users (id),
  route text not null,
  key text not null,
  body_hash bytea not null,
  answer text not null,
  created_at timestamptz not null default now(),
  primary key (user_id, route, key)
);
create index idempotency_keys_created on idempotency_keys (created_at);

create table game_accounts (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  goods_id bigint not null,
  label text not null,
  fields jsonb not null,
  created_at timestamptz not null default now()
);
create index game_accounts_user on game_accounts (user_id, goods_id);

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  actor text not null,
  action text not null,
  user_id bigint,
  subject text not null default '',
  detail jsonb not null default '{}'
);
create index audit_log_user on audit_log (user_id, at);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = '55000';
end $$;
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_change();

-- One try at the live code of a phone: 200, 41002 wrong, 41003 expired, 41004 burnt (used, or five wrong tries).
create function code_try(p_phone text, p_hash bytea) returns integer language plpgsql as $$
declare
  c verification_codes;
begin
  select * into c from verification_codes where phone = p_phone for update;
  if not found then
    return 41002;
  elsif c.used or c.tries >= 5 then
    return 41004;
  elsif c.expires_at <= clock_timestamp() then
    return 41003;
  elsif c.code_hash = p_hash then
    update verification_codes set used = true where phone = p_phone;
    return 200;
  end if;
  update verification_codes set tries = tries + 1 where phone = p_phone;
  return case when c.tries + 1 >= 5 then 41004 else 41002 end;
end $$;
