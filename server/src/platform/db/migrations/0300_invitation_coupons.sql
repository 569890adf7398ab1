-- Invitations bring the inviter a coupon, and no money.
drop table invite_rewards;
drop table invite_settings;
drop table invitations;
drop trigger if exists orders_refund_of_reward on orders;
drop trigger if exists users_erase_invitations on users;
drop trigger if exists ledger_rewards_bounded on ledger_transactions;
drop index ledger_one_reward;
drop index ledger_rewards_back;
alter table ledger_transactions drop constraint ledger_transactions_type_check,
  add constraint ledger_transactions_type_check check (type between 0 and 6);
alter table users drop column invited_by;
delete from protected_tables where name = 'invite_rewards';

alter table coupons add column for_invitation boolean not null default false;
create unique index coupons_for_invitation on coupons (for_invitation) where for_invitation;
alter table user_coupons drop constraint user_coupons_user_id_coupon_id_key,
  add column invitee_id bigint unique references users (id);
create unique index user_coupons_once on user_coupons (user_id, coupon_id, coalesce(invitee_id, 0));

create table invitations (
  invitee_id bigint primary key references users (id),
  inviter_id bigint not null references users (id),
  state text not null check (state in ('waiting', 'rewarded', 'refused')),
  created_at timestamptz not null default clock_timestamp(),
  check (inviter_id <> invitee_id)
);
create index invitations_inviter on invitations (inviter_id, created_at desc);
create index invitations_waiting on invitations (invitee_id) where state = 'waiting';
