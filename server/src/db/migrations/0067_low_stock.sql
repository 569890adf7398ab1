-- From how many pieces on a specification counts as running out; null: from the shop's ten.
alter table goods_specs add column low_stock integer check (low_stock >= 0);
