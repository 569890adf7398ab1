-- What a list of goods is taken from: one row for each goods on a shelf and currency it is offered in, kept by triggers. Every
-- order of a list is an index here, so a page costs the same in a shop of a hundred goods and of a hundred thousand.
create table shelf (
  goods_id bigint not null references goods (id) on delete cascade,
  currency char(3) not null,
  status smallint not null,
  category_id bigint not null,
  initial char(1) not null,
  recharge_type smallint not null,
  sort integer not null,
  sales bigint not null,
  -- The least that an order can cost.
  min_price bigint not null,
  primary key (goods_id, currency)
);
create index shelf_sort on shelf (currency, sort, goods_id);
create index shelf_category on shelf (currency, category_id, sort, goods_id);
create index shelf_type on shelf (currency, recharge_type, sort, goods_id);
create index shelf_initial on shelf (currency, initial, sort, goods_id);
create index shelf_sales on shelf (currency, sales desc, sort, goods_id);
create index shelf_newest on shelf (currency, goods_id desc);
create index shelf_price on shelf (currency, min_price, goods_id);

-- How many goods there are of each kind that a list can be narrowed to.
create table shelf_counts (
  currency char(3) not null,
  status smallint not null,
  category_id bigint not null,
  initial char(1) not null,
  recharge_type smallint not null,
  goods bigint not null,
  primary key (currency, status, category_id, initial, recharge_type)
);
create function shelf_count() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into shelf_counts as c (currency, status, category_id, initial, recharge_type, goods)
      select currency, status, category_id, initial, recharge_type, -count(*) from removed group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
      on conflict (currency, status, category_id, initial, recharge_type) do update set goods = c.goods + excluded.goods;
  end if;
  if tg_op <> 'DELETE' then
    insert into shelf_counts as c (currency, status, category_id, initial, recharge_type, goods)
      select currency, status, category_id, initial, recharge_type, count(*) from added group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
      on conflict (currency, status, category_id, initial, recharge_type) do update set goods = c.goods + excluded.goods;
  end if;
  return null;
end $$;
create trigger shelf_added after insert on shelf referencing new table as added
  for each statement execute function shelf_count();
create trigger shelf_removed after delete on shelf referencing old table as removed
  for each statement execute function shelf_count();
create trigger shelf_moved after update on shelf referencing old table as removed new table as added
  for each statement execute function shelf_count();

-- Brings the shelf up to date with these goods. They are locked, so that two who change prices of one goods count both.
create function shelf_refresh(p_goods bigint[]) returns void language plpgsql as $$
begin
  perform 1 from goods where id = any (p_goods) order by id for no key update;
  delete from shelf f where f.goods_id = any (p_goods) and not exists (
    select 1 from goods g join prices p on p.goods_id = g.id left join goods_specs s on s.id = p.spec_id
     where g.id = f.goods_id and g.status <> 2 and p.currency = f.currency and (p.spec_id is null or s.active));
  insert into shelf as f (goods_id, currency, status, category_id, initial, recharge_type, sort, sales, min_price)
    select g.id, p.currency, g.status, g.category_id, g.initial, g.recharge_type, g.sort, g.sales,
           min(case when p.spec_id is null then p.price * g.custom_min else p.price end)
      from goods g join prices p on p.goods_id = g.id left join goods_specs s on s.id = p.spec_id
     where g.id = any (p_goods) and g.status <> 2 and (p.spec_id is null or s.active)
     group by g.id, p.currency
    having min(case when p.spec_id is null then p.price * g.custom_min else p.price end) is not null
    on conflict (goods_id, currency) do update
      set status = excluded.status, category_id = excluded.category_id, initial = excluded.initial,
          recharge_type = excluded.recharge_type, sort = excluded.sort, sales = excluded.sales, min_price = excluded.min_price
      where (f.status, f.category_id, f.initial, f.recharge_type, f.sort, f.sales, f.min_price) is distinct from
        (excluded.status, excluded.category_id, excluded.initial, excluded.recharge_type, excluded.sort, excluded.sales, excluded.min_price);
end $$;

create function shelf_follow_goods() returns trigger language plpgsql as $$
begin
  perform shelf_refresh(array_agg(n.id)) from added n join removed o using (id)
   where (n.status, n.category_id, n.initial, n.recharge_type, n.sort, n.sales, n.custom_min) is distinct from
     (o.status, o.category_id, o.initial, o.recharge_type, o.sort, o.sales, o.custom_min) having count(*) > 0;
  return null;
end $$;
create trigger shelf_follow after update on goods referencing old table as removed new table as added
  for each statement execute function shelf_follow_goods();

create function shelf_follow_rows() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    perform shelf_refresh(array_agg(distinct goods_id)) from removed having count(*) > 0;
  end if;
  if tg_op <> 'DELETE' then
    perform shelf_refresh(array_agg(distinct goods_id)) from added having count(*) > 0;
  end if;
  return null;
end $$;
create trigger shelf_follow_added after insert on prices referencing new table as added
  for each statement execute function shelf_follow_rows();
create trigger shelf_follow_removed after delete on prices referencing old table as removed
  for each statement execute function shelf_follow_rows();
create trigger shelf_follow_changed after update on prices referencing old table as removed new table as added
  for each statement execute function shelf_follow_rows();

-- Stock is counted on specs, and no shelf changes by it.
create function shelf_follow_specs() returns trigger language plpgsql as $$
begin
  perform shelf_refresh(array_agg(distinct n.goods_id)) from added n join removed o using (id)
   where n.active is distinct from o.active having count(*) > 0;
  return null;
end $$;
create trigger shelf_follow after update on goods_specs referencing old table as removed new table as added
  for each statement execute function shelf_follow_specs();
do $$ begin perform shelf_refresh(array_agg(id)) from goods having count(*) > 0; end $$;

-- Every piece of one to three characters of every word between the bars, "^" and the word's first one to three, "=" and the whole word:
-- what a search can ask an index for, in any language and under any collation.
create function search_grams(p_text text) returns text[] language plpgsql immutable strict parallel safe as $$
declare
  v_word text;
  v_grams text[] := '{}';
begin
  foreach v_word in array string_to_array(p_text, '|') loop
    continue when v_word = '';
    v_grams := v_grams || ('=' || v_word);
    for v_size in 1 .. least(3, char_length(v_word)) loop
      v_grams := v_grams || ('^' || left(v_word, v_size));
      for v_at in 1 .. char_length(v_word) - v_size + 1 loop
        v_grams := v_grams || substr(v_word, v_at, v_size);
      end loop;
    end loop;
  end loop;
  return v_grams;
end $$;
-- Kept in the row: a plan that reads all rows after all must not compute it for each.
alter table goods add column search_grams text[] not null generated always as (search_grams(search_text)) stored;
create index goods_search on goods using gin (search_grams);

-- The staff's list of what waits for it.
create index orders_waiting on orders (paid_at) where status = 12 or refund_state = 'requested';
