-- Whether the provider had accepted a refund, also one that failed.
alter table payment_refunds add column accepted boolean not null default false;

-- Which codes are voided; and whether the buyer's unpaid orders are closed with it.
alter table staff_refunds add column codes bigint[];
alter table staff_refunds add column risk boolean not null default false;

-- What each member of staff gives to shoppers without a second person. amount: minor units.
create table staff_gifts (
  id bigint generated always as identity primary key,
  staff_id bigint not null references staff_people (id),
  currency char(3) not null,
  amount bigint not null check (amount > 0),
  at timestamptz not null default clock_timestamp()
);
create index staff_gifts_of_day on staff_gifts (staff_id, at);

-- These have other parameters now.
drop function if exists payment_refund_end(text, boolean, text);
drop function if exists provider_refund_book(bigint, text, bigint, bigint);
drop function if exists order_refund_part(bigint, text, bigint, integer, text, text, text);
drop function if exists order_refunded(bigint, bigint, integer, boolean, text, text, text);
