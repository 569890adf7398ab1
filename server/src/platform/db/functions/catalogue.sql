-- Counts sales and delivery times. Returns the number of goods with new figures. It writes to public_changes only if there are
-- some, because that clears every cached response.
create or replace function goods_count_sales() returns bigint language plpgsql as $$
declare
  v_ids bigint[];
  v_sales bigint[];
  v_seconds integer[];
begin
  if not pg_try_advisory_xact_lock(hashtextextended('goods_count_sales', 0)) then
    return 0; -- another process is counting
  end if;
  select array_agg(c.id), array_agg(c.sales), array_agg(c.seconds) into v_ids, v_sales, v_seconds
    from (
      select g.id, coalesce(d.sales, 0) as sales, m.seconds
        from goods g
        left join (select goods_id, sum(quantity - refunded_quantity)::bigint as sales from orders where status = {OrderStatus.Finished} group by goods_id) d
          on d.goods_id = g.id
        left join lateral (
          select round(percentile_cont(0.5) within group (order by extract(epoch from o.finished_at - o.paid_at)))::integer as seconds
            from (select finished_at, paid_at from orders where goods_id = d.goods_id and status = {OrderStatus.Finished}
                   order by finished_at desc limit 30) o
          having count(*) >= 3) m on true
       where (g.sales, g.delivery_seconds) is distinct from (coalesce(d.sales, 0), m.seconds)) c;
  if v_ids is null then
    return 0;
  end if;
  update goods g set sales = n.sales, delivery_seconds = n.seconds
    from unnest(v_ids, v_sales, v_seconds) as n (id, sales, seconds) where g.id = n.id;
  return cardinality(v_ids);
end $$;

-- A specification that gets a limit for the first time, or changes how it sells, begins another counter.
create or replace function goods_specs_begin_counter() returns trigger language plpgsql as $$
begin
  new.counter := old.counter + 1;
  return new;
end $$;

create or replace function note_stock_change() returns trigger language plpgsql as $$
begin
  insert into public_changes (goods_id) values (new.goods_id) on conflict do nothing;
  return null;
end $$;

-- Every substring of one to three characters of every word between the bars; "^" and the first one to three characters of the
-- word; "=" and the whole word. A word after "~" only repeats others with blanks between their parts. A search can look these up
-- in an index, in any language and under any collation.
create or replace function search_grams(p_text text) returns text[] language plpgsql immutable strict parallel safe as $$
declare
  v_word text;
  v_grams text[] := '{}';
begin
  foreach v_word in array string_to_array(p_text, '|') loop
    continue when v_word = '' or starts_with(v_word, '~');
    v_grams := v_grams || ('=' || v_word);
    for v_size in 1 .. least(3, char_length(v_word)) loop
      v_grams := v_grams || ('^' || left(v_word, v_size));
      for v_at in 1 .. char_length(v_word) - v_size + 1 loop
        v_grams := v_grams || substr(v_word, v_at, v_size);
      end loop;
    end loop;
  end loop;
  return array(select distinct unnest(v_grams));
end $$;

create or replace function shelf_count() returns trigger language plpgsql as $$
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

create or replace function shelf_follow_goods() returns trigger language plpgsql as $$
begin
  perform shelf_refresh(array_agg(n.id)) from added n join removed o using (id)
   where (n.status, n.category_id, n.initial, n.recharge_type, n.sort, n.sales, n.custom_min) is distinct from
     (o.status, o.category_id, o.initial, o.recharge_type, o.sort, o.sales, o.custom_min) having count(*) > 0;
  return null;
end $$;

create or replace function shelf_follow_rows() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    perform shelf_refresh(array_agg(distinct goods_id)) from removed having count(*) > 0;
  end if;
  if tg_op <> 'DELETE' then
    perform shelf_refresh(array_agg(distinct goods_id)) from added having count(*) > 0;
  end if;
  return null;
end $$;

-- Updates the shelf when specifications change. Stock counts do not affect a shelf.
create or replace function shelf_follow_specs() returns trigger language plpgsql as $$
begin
  perform shelf_refresh(array_agg(distinct n.goods_id)) from added n join removed o using (id)
   where n.active is distinct from o.active having count(*) > 0;
  return null;
end $$;

-- Updates the shelf for these goods. They are locked, so that concurrent price changes of the same goods all count.
create or replace function shelf_refresh(p_goods bigint[]) returns void language plpgsql as $$
begin
  perform 1 from goods where id = any (p_goods) order by id for no key update;
  delete from shelf f where f.goods_id = any (p_goods) and not exists (
    select 1 from goods g join prices p on p.goods_id = g.id left join goods_specs s on s.id = p.spec_id
     where g.id = f.goods_id and g.status <> {GoodsStatus.OffShelf} and p.currency = f.currency and (p.spec_id is null or s.active));
  insert into shelf as f (goods_id, currency, status, category_id, initial, recharge_type, sort, sales, min_price)
    select g.id, p.currency, g.status, g.category_id, g.initial, g.recharge_type, g.sort, g.sales,
           min(case when p.spec_id is null then p.price * g.custom_min else p.price end)
      from goods g join prices p on p.goods_id = g.id left join goods_specs s on s.id = p.spec_id
     where g.id = any (p_goods) and g.status <> {GoodsStatus.OffShelf} and (p.spec_id is null or s.active)
     group by g.id, p.currency
    having min(case when p.spec_id is null then p.price * g.custom_min else p.price end) is not null
    on conflict (goods_id, currency) do update
      set status = excluded.status, category_id = excluded.category_id, initial = excluded.initial,
          recharge_type = excluded.recharge_type, sort = excluded.sort, sales = excluded.sales, min_price = excluded.min_price
      where (f.status, f.category_id, f.initial, f.recharge_type, f.sort, f.sales, f.min_price) is distinct from
        (excluded.status, excluded.category_id, excluded.initial, excluded.recharge_type, excluded.sort, excluded.sales, excluded.min_price);
end $$;

-- The stock mark of a specification. It is PL/pgSQL, because every statement that calls an SQL function which cannot be inlined
-- plans it again.
create or replace function spec_stock_mark(p_recharge_type integer, p_spec bigint, p_stock bigint) returns integer
language plpgsql stable as $$
begin
  if p_recharge_type <> {RechargeType.CardCode} then
    return stock_mark(p_stock);
  end if;
  return stock_mark((select count(*) from (
    select 1 from card_codes c where c.spec_id = p_spec and c.state = {CardState.Free}
       and (c.expire_at is null or c.expire_at > clock_timestamp()) limit 11) free));
end $$;

-- The stock level that visitors see: 0 out, 1 in, 2 low. Null means unlimited.
create or replace function stock_mark(p_left bigint) returns integer language sql immutable as $$
  select case when p_left is null or p_left > 10 then 1 when p_left > 0 then 2 else 0 end;
$$;
