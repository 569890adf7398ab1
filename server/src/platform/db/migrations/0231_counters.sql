alter table goods_specs add column counter integer not null default 1;
create trigger goods_specs_begin_counter before update of stock, shared on goods_specs
  for each row when ((old.stock is null) <> (new.stock is null) or old.shared <> new.shared) execute function goods_specs_begin_counter();

alter table orders add column counter integer;
update orders o set counter = 1 from goods_specs s
 where s.id = o.spec_id and s.stock is not null and o.status in (10, 12) and o.closed_at is null;
