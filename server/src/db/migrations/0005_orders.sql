create table orders (
  id bigint generated always as identity primary key,
  order_no text not null unique,
  user_id bigint not null references users (id),
  goods_id bigint not null references goods (id),
  spec_id bigint references goods_specs (id),
  custom_value bigint,
  quantity integer not null check (quantity > 0),
  currency char(3) not null,
  unit_price bigint not null check (unit_price >= 0),
  original_amount bigint not null,
  coupon_discount bigint not null default 0,
  total_amount bigint not null,
  user_coupon_id bigint references user_coupons (id),
  recharge_type smallint not null,
  stock_type text not null,
  status smallint not null default 10 check (status in (10, 12, 30, 60)),
  delivery_status smallint not null default 0 check (delivery_status in (0, 10, 20)),
  -- Names in both languages, image, face value: what the buyer saw.
  snapshot jsonb not null,
  fields_masked jsonb not null default '[]',
  fields_cipher bytea,
  fields_key text,
  pay_method text,
  payment_id bigint,
  refund_state text not null default 'none',
  refund_reason text not null default '',
  refund_requested_at timestamptz,
  refunded_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  expire_at timestamptz not null,
  paid_at timestamptz,
  finished_at timestamptz,
  closed_at timestamptz,
  close_reason smallint not null default 0,
  hidden_at timestamptz,
  check (total_amount = original_amount - coupon_discount and coupon_discount between 0 and original_amount),
  check (original_amount = unit_price * coalesce(custom_value, 1) * quantity),
  check ((status = 10) = (delivery_status = 0)),
  check (status <> 30 or delivery_status = 20),
  check (status <> 12 or delivery_status = 10),
  check (closed_at is null or status = 10)
);
create index orders_user on orders (user_id, id desc) where hidden_at is null;
create index orders_unpaid on orders (expire_at) where status = 10 and closed_at is null;
create index orders_user_goods on orders (user_id, goods_id, created_at) where closed_at is null;

create table order_events (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders (id),
  at timestamptz not null default clock_timestamp(),
  kind text not null,
  status smallint not null,
  delivery_status smallint not null,
  note text not null default '',
  actor text not null default 'system'
);
create index order_events_order on order_events (order_id, id);
create trigger order_events_append_only before update or delete on order_events
  for each row execute function refuse_change();

-- state: 0 free, 1 reserved by an unpaid order, 2 sold, 3 voided
create table card_codes (
  id bigint generated always as identity primary key,
  spec_id bigint not null references goods_specs (id),
  code_hash bytea not null unique,
  key_id text not null,
  card_no bytea not null,
  card_pwd bytea not null,
  state smallint not null default 0 check (state between 0 and 3),
  order_id bigint references orders (id),
  expire_at timestamptz,
  created_at timestamptz not null default now(),
  sold_at timestamptz,
  check (state not in (1, 2) or order_id is not null),
  check (state <> 0 or order_id is null)
);
create index card_codes_free on card_codes (spec_id, id) where state = 0;
create index card_codes_order on card_codes (order_id) where order_id is not null;

-- A sold or voided code never goes back on sale and never changes its order.
create function card_codes_guard() returns trigger language plpgsql as $$
begin
  if old.state = 2 and (new.state not in (2, 3) or new.order_id is distinct from old.order_id) then
    raise exception 'card code % is sold', old.id using errcode = '55000';
  elsif old.state = 3 and new.state <> 3 then
    raise exception 'card code % is voided', old.id using errcode = '55000';
  end if;
  return new;
end $$;
create trigger card_codes_sold_once before update of state, order_id on card_codes
  for each row execute function card_codes_guard();

-- What a supplier has been asked for. state: 0 to send, 1 ambiguous (ask again, never order again), 2 done, 3 failed
create table supplier_requests (
  order_id bigint primary key references orders (id),
  supplier text not null,
  reference text not null unique,
  state smallint not null default 0,
  tries integer not null default 0,
  next_at timestamptz not null default clock_timestamp(),
  detail text not null default ''
);
create index supplier_requests_due on supplier_requests (next_at) where state in (0, 1);

create function stock_take(p_order bigint, p_spec bigint, p_recharge_type integer, p_quantity integer)
returns void language plpgsql as $$
declare
  v_taken integer;
begin
  if p_recharge_type = 1 then
    with free as (
      select id from card_codes
       where spec_id = p_spec and state = 0 and (expire_at is null or expire_at > clock_timestamp())
       order by id limit p_quantity for update skip locked
    )
    update card_codes c set state = 1, order_id = p_order from free where c.id = free.id;
    get diagnostics v_taken = row_count;
    if v_taken < p_quantity then
      raise exception '42220' using errcode = 'SHOPE';
    end if;
  elsif p_spec is not null then
    update goods_specs set stock = stock - p_quantity where id = p_spec and stock is not null and stock >= p_quantity;
    if not found and exists (select 1 from goods_specs where id = p_spec and stock is not null) then
      raise exception '42220' using errcode = 'SHOPE';
    end if;
  end if;
end $$;

create function stock_give_back(p_order bigint, p_spec bigint, p_recharge_type integer, p_quantity integer)
returns void language plpgsql as $$
begin
  if p_recharge_type = 1 then
    update card_codes set state = 0, order_id = null where order_id = p_order and state = 1;
  elsif p_spec is not null then
    update goods_specs set stock = stock + p_quantity where id = p_spec and stock is not null;
  end if;
end $$;

-- Places an order whose price the caller has just read in this transaction. Orders of one user are placed one by one,
-- so that the limits hold under concurrency. Raises SHOPE 42220, 42222, 43011, 44006.
create function order_place(p jsonb, p_fields_cipher bytea, p_max_unpaid integer) returns orders language plpgsql as $$
declare
  o orders;
  g goods;
  v_bought bigint;
begin
  perform 1 from users where id = (p ->> 'user_id')::bigint for no key update;
  if (select count(*) from orders where user_id = (p ->> 'user_id')::bigint and status = 10 and closed_at is null
        and hidden_at is null and expire_at > clock_timestamp()) >= p_max_unpaid then
    raise exception '43011' using errcode = 'SHOPE';
  end if;
  select * into g from goods where id = (p ->> 'goods_id')::bigint;
  if g.per_user > 0 then
    select coalesce(sum(quantity), 0) into v_bought from orders
     where user_id = (p ->> 'user_id')::bigint and goods_id = g.id and closed_at is null and status <> 60;
    if v_bought + (p ->> 'quantity')::integer > g.per_user then
      raise exception '42222' using errcode = 'SHOPE';
    end if;
  end if;
  if g.per_day > 0 then
    select coalesce(sum(quantity), 0) into v_bought from orders
     where user_id = (p ->> 'user_id')::bigint and goods_id = g.id and closed_at is null and status <> 60
       and created_at > clock_timestamp() - interval '1 day';
    if v_bought + (p ->> 'quantity')::integer > g.per_day then
      raise exception '42222' using errcode = 'SHOPE';
    end if;
  end if;
  insert into orders (order_no, user_id, goods_id, spec_id, custom_value, quantity, currency, unit_price,
      original_amount, coupon_discount, total_amount, user_coupon_id, recharge_type, stock_type, snapshot,
      fields_masked, fields_cipher, fields_key, expire_at)
    values (p ->> 'order_no', (p ->> 'user_id')::bigint, g.id, (p ->> 'spec_id')::bigint,
      (p ->> 'custom_value')::bigint, (p ->> 'quantity')::integer, p ->> 'currency', (p ->> 'unit_price')::bigint,
      (p ->> 'original_amount')::bigint, (p ->> 'coupon_discount')::bigint, (p ->> 'total_amount')::bigint,
      (p ->> 'user_coupon_id')::bigint, g.recharge_type, g.stock_type, p -> 'snapshot', p -> 'fields_masked',
      p_fields_cipher, p ->> 'fields_key', clock_timestamp() + make_interval(secs => (p ->> 'expire_seconds')::integer))
    returning * into o;
  if o.user_coupon_id is not null then
    update user_coupons set use_status = 2, order_id = o.id
     where id = o.user_coupon_id and user_id = o.user_id and use_status = 1 and end_time > clock_timestamp();
    if not found then
      raise exception '44006' using errcode = 'SHOPE';
    end if;
  end if;
  perform stock_take(o.id, o.spec_id, o.recharge_type, o.quantity);
  insert into order_events (order_id, kind, status, delivery_status) values (o.id, 'created', 10, 0);
  return o;
end $$;

-- 10/0 to 12/10, and on to 30/20 for card codes. The caller holds the order's row and has the money.
create function order_settle(p_order bigint, p_method text, p_payment bigint) returns void language plpgsql as $$
declare
  o orders;
  v_cards integer;
begin
  update orders set status = 12, delivery_status = 10, paid_at = clock_timestamp(), pay_method = p_method,
      payment_id = p_payment
    where id = p_order and status = 10 and closed_at is null returning * into o;
  if not found then
    raise exception '43020' using errcode = 'SHOPE';
  end if;
  insert into order_events (order_id, kind, status, delivery_status, note) values (o.id, 'paid', 12, 10, p_method);
  if o.recharge_type = 1 then
    update card_codes set state = 2, sold_at = clock_timestamp() where order_id = o.id and state = 1;
    get diagnostics v_cards = row_count;
    if v_cards <> o.quantity then
      raise exception 'order % holds % of % cards', o.id, v_cards, o.quantity using errcode = '55000';
    end if;
    update orders set status = 30, delivery_status = 20, finished_at = clock_timestamp() where id = o.id;
    insert into order_events (order_id, kind, status, delivery_status) values (o.id, 'delivered', 30, 20);
  elsif o.recharge_type in (2, 3) then
    insert into supplier_requests (order_id, supplier, reference) values (o.id, o.stock_type, o.order_no);
  end if;
end $$;

-- 10/0 to closed. Answers false when the order was no longer open.
create function order_close(p_order bigint, p_reason integer, p_actor text) returns boolean language plpgsql as $$
declare
  o orders;
begin
  update orders set closed_at = clock_timestamp(), close_reason = p_reason, fields_cipher = null
    where id = p_order and status = 10 and closed_at is null returning * into o;
  if not found then
    return false;
  end if;
  perform stock_give_back(o.id, o.spec_id, o.recharge_type, o.quantity);
  update user_coupons set use_status = 1, order_id = null where order_id = o.id and use_status = 2;
  insert into order_events (order_id, kind, status, delivery_status, note, actor)
    values (o.id, 'closed', 10, 0, p_reason::text, p_actor);
  return true;
end $$;

-- 12/10 to 30/20.
create function order_deliver(p_order bigint, p_note text, p_actor text) returns boolean language plpgsql as $$
begin
  update orders set status = 30, delivery_status = 20, finished_at = clock_timestamp(), fields_cipher = null
    where id = p_order and status = 12 and delivery_status = 10;
  if not found then
    return false;
  end if;
  insert into order_events (order_id, kind, status, delivery_status, note, actor)
    values (p_order, 'delivered', 30, 20, p_note, p_actor);
  return true;
end $$;

-- 12/10 or 30/20 to 60 with the same delivery status: everything paid goes to the wallet, once; the coupon comes back.
create function order_refund(p_order bigint, p_reason text, p_actor text) returns boolean language plpgsql as $$
declare
  o orders;
begin
  update orders set status = 60, refunded_at = clock_timestamp(), refund_state = 'refunded', fields_cipher = null,
      refund_reason = case when p_reason = '' then refund_reason else p_reason end
    where id = p_order and status in (12, 30) returning * into o;
  if not found then
    return false;
  end if;
  if o.total_amount > 0 then
    perform wallet_post(o.user_id, o.currency, 2, o.total_amount, 0, 'sales', o.id, null, null, p_reason, p_actor);
  end if;
  if o.delivery_status = 10 then
    perform stock_give_back(o.id, o.spec_id, o.recharge_type, o.quantity);
  else
    update card_codes set state = 3 where order_id = o.id and state = 2;
  end if;
  update user_coupons set use_status = case when end_time > clock_timestamp() then 1 else 3 end, order_id = null
    where order_id = o.id and use_status = 2;
  insert into order_events (order_id, kind, status, delivery_status, note, actor)
    values (o.id, 'refunded', 60, o.delivery_status, p_reason, p_actor);
  return true;
end $$;

-- Pays an order from its owner's wallet in one call. A paid order answers as it stands, without a second debit.
create function order_pay_by_balance(p_user bigint, p_order_no text) returns orders language plpgsql as $$
declare
  o orders;
begin
  select * into o from orders where order_no = p_order_no and user_id = p_user for update;
  if not found then
    raise exception '43404' using errcode = 'SHOPE';
  elsif o.status in (12, 30) then
    return o;
  elsif o.status = 60 then
    raise exception '43020' using errcode = 'SHOPE';
  elsif o.closed_at is not null or o.expire_at <= clock_timestamp() then
    raise exception '43021' using errcode = 'SHOPE';
  end if;
  if o.total_amount > 0 then
    perform wallet_post(o.user_id, o.currency, 0, -o.total_amount, 0, 'sales', o.id, null, null, '', 'user');
  end if;
  perform order_settle(o.id, 'balance', null);
  select * into o from orders where id = o.id;
  return o;
end $$;
