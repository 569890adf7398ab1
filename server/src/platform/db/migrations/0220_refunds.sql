-- Whether the provider had accepted a refund, also one that failed.
alter table payment_refunds add column accepted boolean not null default false;

-- These have other parameters now.
drop function if exists payment_refund_end(text, boolean, text);
drop function if exists provider_refund_book(bigint, text, bigint, bigint);
