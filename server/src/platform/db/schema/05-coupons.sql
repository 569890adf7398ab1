create table coupons (
  id bigint generated always as identity primary key,
  key text not null unique,
  name_zh text not null,
  name_en text not null,
  coupon_type smallint not null check (coupon_type in (10, 20)),
  -- Tenths of N in "N折": 85 is 8.5折, the buyer pays 85 percent.
  discount_tenths integer check (discount_tenths between 1 and 99),
  expire_type smallint not null check (expire_type in (10, 20)),
  expire_day integer not null default 0,
  start_time timestamptz,
  end_time timestamptz,
  apply_range smallint not null check (apply_range in (10, 20)),
  status smallint not null default 1 check (status in (1, 2)),
  total integer,
  received integer not null default 0,
  offer boolean not null default false,
  redeem_code text unique,
  created_at timestamptz not null default now(),
  -- The period in which a coupon can be claimed. A claimed coupon stays valid until its own end.
  claim_from timestamptz,
  claim_until timestamptz,
  for_invitation boolean not null default false,
  check (total is null or received <= total),
  check (coupon_type = 10 or discount_tenths is not null),
  check (expire_type = 10 or (start_time is not null and end_time is not null)),
  check (claim_until is null or claim_from is null or claim_until >= claim_from)
);

create unique index coupons_for_invitation on coupons (for_invitation) where for_invitation;

create table coupon_amounts (
  coupon_id bigint not null references coupons (id),
  currency char(3) not null check (currency in ('CNY', 'USD')),
  reduce_price bigint not null default 0 check (reduce_price >= 0),
  min_price bigint not null default 0 check (min_price >= 0),
  primary key (coupon_id, currency)
);

create table coupon_goods (
  coupon_id bigint not null references coupons (id),
  goods_id bigint not null references goods (id),
  primary key (coupon_id, goods_id)
);

-- use_status: 1 unused, 2 used (order_id is the order), 3 expired
create table user_coupons (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  coupon_id bigint not null references coupons (id),
  start_time timestamptz not null,
  end_time timestamptz not null,
  use_status smallint not null default 1,
  order_id bigint,
  received_at timestamptz not null default now(),
  -- The invited shopper whose first order earned the inviter this coupon; null for a coupon that was claimed or given by staff.
  invitee_id bigint unique references users (id),
  check ((use_status = 2) = (order_id is not null))
);
create unique index user_coupons_once on user_coupons (user_id, coupon_id, coalesce(invitee_id, 0));
create unique index user_coupons_order on user_coupons (order_id) where order_id is not null;
create index user_coupons_expiry on user_coupons (end_time) where use_status = 1;
create index user_coupons_coupon on user_coupons (coupon_id, use_status);
create index user_coupons_orders on user_coupons (coupon_id, order_id) where order_id is not null;
