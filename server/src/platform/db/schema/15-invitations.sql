-- The inviter of each invited shopper (docs/product.md): one row per shopper, added on registration.
create table invitations (
  invitee_id bigint primary key references users (id),
  inviter_id bigint not null references users (id),
  -- waiting for a first order, rewarded with a coupon, or refused because both accounts seem to belong to one shopper.
  state text not null check (state in ('waiting', 'rewarded', 'refused')),
  created_at timestamptz not null default clock_timestamp(),
  check (inviter_id <> invitee_id)
);
create index invitations_inviter on invitations (inviter_id, created_at desc);
create index invitations_waiting on invitations (invitee_id) where state = 'waiting';

-- SHA-256 of the provider's id of the payer, stored only while invitations are open: if inviter and invitee share a payer, the
-- invitation is refused.
create table payers (
  user_id bigint not null references users (id),
  payer_hash bytea not null,
  seen_at timestamptz not null default clock_timestamp(),
  primary key (user_id, payer_hash)
);
create index payers_payer on payers (payer_hash);
create index payers_seen on payers (seen_at);
