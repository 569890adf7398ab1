-- One-time addresses at which somebody chooses a password and takes an authenticator's secret. Only the token's SHA-256 is kept.
create table staff_invitations (
  id bigint generated always as identity primary key,
  token_hash bytea not null unique,
  -- Null for a manager who is not there yet.
  staff_id bigint unique references staff_people (id),
  -- The address that a start prints: good while nobody is there.
  is_first boolean not null default false,
  -- The secret that the authenticator app will have.
  totp_cipher bytea not null,
  totp_key text not null,
  expires_at timestamptz not null,
  check (staff_id is null or not is_first)
);
-- A new address ends the one before.
create unique index staff_invitations_manager on staff_invitations (is_first) where staff_id is null;

-- Null until the person has used the address.
alter table staff_people alter column password_hash drop not null;
alter table staff_people alter column totp_cipher drop not null;
alter table staff_people alter column totp_key drop not null;
