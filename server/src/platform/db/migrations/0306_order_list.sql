create index if not exists orders_created_at on orders (created_at, id);
create index if not exists orders_facets on orders (
  currency, recharge_type, stock_type, (case when closed_at is null then status else 0 end), delivery_status,
  (coalesce(pay_method, '')), created_at, id
);
create index if not exists orders_goods on orders (goods_id, (coalesce(spec_id, 0)), created_at, id);
create index if not exists orders_amount on orders (currency, total_amount, id);
create index if not exists orders_level on orders (
  ((jsonb_path_query_first(snapshot, '$.price.parts[*] ? (@.kind == "level").level'))::bigint), created_at, id
) where (jsonb_path_query_first(snapshot, '$.price.parts[*] ? (@.kind == "level").level'))::bigint is not null;
create index if not exists user_coupons_orders on user_coupons (coupon_id, order_id) where order_id is not null;
