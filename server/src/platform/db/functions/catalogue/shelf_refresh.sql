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
