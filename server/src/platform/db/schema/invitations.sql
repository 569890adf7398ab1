-- Who came by whose code (docs/adr/0071-invitations.md): a shopper once, when they register.
create table invitations (
  invitee_id bigint primary key references users (id),
  inviter_id bigint not null references users (id),
  -- waiting for a first order, rewarded with a coupon, or refused because both accounts look like those of one shopper.
  state text not null check (state in ('waiting', 'rewarded', 'refused')),
  created_at timestamptz not null default clock_timestamp(),
  check (inviter_id <> invitee_id)
);
create index invitations_inviter on invitations (inviter_id, created_at desc);
create index invitations_waiting on invitations (invitee_id) where state = 'waiting';

-- SHA-256 of what the provider calls the payer, kept only while invitations are open: one payer behind inviter and invitee refuses the
-- invitation.
create table payers (
  user_id bigint not null references users (id),
  payer_hash bytea not null,
  seen_at timestamptz not null default clock_timestamp(),
  primary key (user_id, payer_hash)
);
create index payers_payer on payers (payer_hash);
create index payers_seen on payers (seen_at);
