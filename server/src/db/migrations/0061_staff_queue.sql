-- Who works on an order until when; meanwhile it is nobody else's, and a supplier that was not asked yet is not asked.
create table staff_claims (
  order_id bigint primary key references orders (id),
  staff_id bigint not null references staff_people (id),
  taken_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
-- Orders of card codes never wait, so they are in neither index.
create index orders_wait_for_delivery on orders (paid_at) where status = 12 and recharge_type <> 1;
create index orders_refund_requested on orders (refund_requested_at) where refund_state = 'requested';
