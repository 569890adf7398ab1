-- Values of card codes that sell many times (docs/adr/0078-codes-that-sell-many-times.md).
insert into protected_tables (name, may_update) values ('shared_code_orders', true), ('shared_code_versions', true);

alter table goods_specs add column shared boolean not null default false, add column shows_newest boolean not null default false;
create or replace trigger public_change
  after insert or delete or truncate
     or update of goods_id, key, name_zh, name_en, face_value, max_qty, active, sort, shared on goods_specs
  for each statement execute function note_public_change();

-- What a value that sells many times is: one text for all its buyers. Every text that it ever had stays.
create table shared_code_versions (
  id bigint generated always as identity primary key,
  spec_id bigint not null references goods_specs (id),
  version integer not null check (version > 0),
  key_id text not null,
  content bytea not null,
  written_by text not null,
  written_at timestamptz not null default clock_timestamp(),
  unique (spec_id, version)
);
create trigger shared_code_versions_append_only before update or delete on shared_code_versions
  for each row execute function refuse_other_change('key_id', 'content');
create trigger shared_code_versions_no_truncate before truncate on shared_code_versions for each statement execute function refuse_change();

-- An order of such a value, which holds its pieces until it is paid and has the version of that moment from then on: a reference, no copy.
create table shared_code_orders (
  order_id bigint primary key references orders (id),
  spec_id bigint not null references goods_specs (id),
  -- What it holds, or was sold. A piece that comes back before the delivery is not counted any more.
  quantity integer not null check (quantity >= 0),
  version_id bigint references shared_code_versions (id)
);
create index shared_code_orders_spec on shared_code_orders (spec_id);
create trigger shared_code_orders_delivered_once before update on shared_code_orders
  for each row execute function shared_code_orders_guard();
create trigger shared_code_orders_stay before delete on shared_code_orders for each row execute function refuse_change();
create trigger shared_code_orders_no_truncate before truncate on shared_code_orders for each statement execute function refuse_change();
