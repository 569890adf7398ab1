-- The key of the marks of codes.
create table card_mark_keys (
  id bigint primary key check (id = 1),
  key_id text not null,
  mark_key bytea not null
);

-- Imports of codes. Codes from before this table, and codes that came with an order, belong to none.
create table card_batches (
  id bigint generated always as identity primary key,
  name text not null,
  supplier text not null,
  -- What one code cost: minor units; null if it was not entered.
  cost bigint check (cost >= 0),
  currency char(3) not null,
  -- As in the audit log.
  created_by text not null,
  created_at timestamptz not null default clock_timestamp()
);

-- Exports of the unsold codes of a batch. The codes go off sale in the same transaction.
create table staff_code_exports (
  id bigint generated always as identity primary key,
  batch_id bigint not null references card_batches (id),
  -- Exported codes, or while it waits the codes to export.
  codes integer not null check (codes > 0),
  reason text not null,
  asked_by bigint not null references staff_people (id),
  asked_at timestamptz not null default clock_timestamp(),
  state text not null default 'waiting' check (state in ('waiting', 'done', 'refused')),
  -- Null if no second member of staff was needed.
  decided_by bigint references staff_people (id),
  decided_at timestamptz,
  check (state <> 'done' or decided_by is distinct from asked_by)
);
create index staff_code_exports_batch on staff_code_exports (batch_id);
create unique index staff_code_exports_waiting on staff_code_exports (batch_id) where state = 'waiting';
create index staff_code_exports_of_day on staff_code_exports (asked_by, asked_at);

-- state: 0 free, 1 reserved by an unpaid order, 2 sold, 3 voided
create table card_codes (
  id bigint generated always as identity primary key,
  spec_id bigint not null references goods_specs (id),
  -- Servers of the version before store it; the next release drops it.
  code_hash bytea unique,
  key_id text not null,
  card_no bytea not null,
  card_pwd bytea not null,
  state smallint not null default 0 check (state between 0 and 3),
  order_id bigint references orders (id),
  expire_at timestamptz,
  created_at timestamptz not null default now(),
  sold_at timestamptz,
  -- Whether a code belongs to the demonstration; null if that was never recorded.
  demo boolean,
  -- A keyed hash of a sold code's last four characters, by which staff find its order; null until the job has computed it.
  tail_mark bytea,
  -- Keyed hashes of the number, and of the number with its password (card-marks.ts). A code that versions before have stored twice
  -- has its second mark once.
  number_mark bytea not null,
  code_mark bytea,
  batch_id bigint references card_batches (id),
  export_id bigint references staff_code_exports (id),
  check (state not in (1, 2) or order_id is not null),
  check (state <> 0 or order_id is null)
);
create index card_codes_free on card_codes (spec_id, id) where state = 0;
create index card_codes_order on card_codes (order_id) where order_id is not null;
create index card_codes_expiry on card_codes (expire_at) where state = 0 and expire_at is not null;
create index card_codes_tail on card_codes (tail_mark) where tail_mark is not null;
create index card_codes_unmarked on card_codes (id) where state = 2 and tail_mark is null;
create unique index card_codes_marks on card_codes (number_mark, code_mark);
create index card_codes_batch on card_codes (batch_id, spec_id, state, expire_at) where batch_id is not null;
create index card_codes_export on card_codes (export_id, id) where export_id is not null;
create trigger card_codes_sold_once before update of state, order_id on card_codes
  for each row execute function card_codes_guard();
create trigger card_codes_sold_stay before delete on card_codes
  for each row when (old.state in (2, 3)) execute function refuse_change();
create trigger card_codes_no_truncate before truncate on card_codes for each statement execute function refuse_change();
-- Codes are reserved concurrently, and no transaction sees what the others reserve, so every change of the free codes is
-- recorded.
create trigger card_change after update of state on card_codes
  for each row when ((old.state = 0) <> (new.state = 0)) execute function note_card_change();
create trigger card_removed after delete on card_codes
  for each row when (old.state = 0) execute function note_card_change();
create trigger cards_added after insert on card_codes referencing new table as added
  for each statement execute function note_cards_added();
create trigger public_change after truncate or update of spec_id, expire_at on card_codes
  for each statement execute function note_public_change();

-- The text that a specification sells to all its buyers: the newest one. Earlier texts stay, because orders refer to them.
create table shared_code_texts (
  id bigint generated always as identity primary key,
  spec_id bigint not null references goods_specs (id),
  key_id text not null,
  content bytea not null
);
create index shared_code_texts_spec on shared_code_texts (spec_id, id);
create trigger shared_code_texts_append_only before update or delete on shared_code_texts
  for each row execute function refuse_other_change('key_id', 'content');
create trigger shared_code_texts_no_truncate before truncate on shared_code_texts for each statement execute function refuse_change();

-- An order of such a specification. It reserves its pieces until it is paid, and then refers to the text of that moment instead
-- of copying it.
create table shared_code_orders (
  order_id bigint primary key references orders (id),
  spec_id bigint not null references goods_specs (id),
  -- Pieces that it reserves or was sold. A piece returned before the delivery no longer counts.
  quantity integer not null check (quantity >= 0),
  text_id bigint references shared_code_texts (id)
);
create index shared_code_orders_spec on shared_code_orders (spec_id);
create trigger shared_code_orders_delivered_once before update on shared_code_orders
  for each row execute function shared_code_orders_guard();
create trigger shared_code_orders_stay before delete on shared_code_orders for each row execute function refuse_change();
create trigger shared_code_orders_no_truncate before truncate on shared_code_orders for each statement execute function refuse_change();
