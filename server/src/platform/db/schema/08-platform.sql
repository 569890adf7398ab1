-- Calls that were made with an Idempotency-Key, with the envelope of the response. The stored data are those of the database
-- function if one created them (order_create, order_pay); the program converts them for each replay.
create table idempotency_keys (
  user_id bigint not null references users (id),
  route text not null,
  key text not null,
  body_hash bytea not null,
  created_at timestamptz not null default now(),
  response json not null,
  primary key (user_id, route, key)
);
create index idempotency_keys_created on idempotency_keys (created_at);

create table rate_limits (
  key text primary key,
  hits integer not null,
  resets_at timestamptz not null
);
create index rate_limits_resets on rate_limits (resets_at);

create table jobs (
  name text primary key,
  last_started_at timestamptz,
  last_finished_at timestamptz,
  last_error text,
  runs bigint not null default 0,
  done bigint not null default 0
);

-- The keys that encrypted values, each with a known text encrypted by it, which reveals a wrong or missing key at start.
create table encryption_keys (
  id text primary key,
  check_cipher bytea,
  created_at timestamptz not null default now()
);

-- Contains its only row since the first start with real payments: from then on the database's codes are sold for money,
-- permanently.
create table live_shop (
  only_row boolean primary key default true check (only_row),
  since timestamptz not null default clock_timestamp()
);
create trigger live_shop_append_only before update or delete on live_shop for each row execute function refuse_change();

-- Changes of data that every visitor sees. Triggers write them in the transaction of the change itself, so a transaction that
-- sees the change also sees the row; a server compares it with the snapshot of its cached responses. Rows are only added, so two
-- orders never wait for each other here. goods_id: the stock of these goods, or 0 for any other change.
create table public_changes (
  xid xid8 not null default pg_current_xact_id(),
  goods_id bigint not null,
  at timestamptz not null default clock_timestamp(),
  primary key (xid, goods_id)
);
-- Every change of these tables counts. Tables of stock have triggers of their own, because not every change of theirs is visible.
do $$
declare
  v_table text;
begin
  foreach v_table in array '{categories,goods,prices,swipers,custom_modules,custom_module_items,hot_words,articles,app_config,
      price_steps,levels,level_thresholds,level_prices}'::text[] loop
    execute format('create trigger public_change after insert or update or delete or truncate on %I
      for each statement execute function note_public_change()', v_table);
  end loop;
end $$;
