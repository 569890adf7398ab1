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
