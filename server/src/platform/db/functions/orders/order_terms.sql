-- The terms of an order of the goods, including the buyer's level if p_user names the buyer; null when the goods are not on a
-- shelf of the buyer. Without steps and levels, and for a specification that does not sell one text many times, the result equals
-- that of earlier versions, because servers of those versions compare its digest. It is one statement, planned once per
-- connection (see order_create), which reads steps and levels only if there are some.
create or replace function order_terms(p_goods bigint, p_spec bigint, p_currency text, p_vip boolean, p_user bigint default null)
returns jsonb language plpgsql stable set plan_cache_mode = force_generic_plan set jit = off as $$
begin
  return (
    select (to_jsonb(t) - 'shared') || case when t.shared then '{"shared": true}' else '{}'::jsonb end || jsonb_strip_nulls(jsonb_build_object(
        'steps', (select jsonb_agg(jsonb_build_object('from', from_qty, 'price', x.price) order by from_qty) from price_steps x
                   where x.spec_id = t.spec_id and currency = p_currency),
        'level', (select jsonb_build_object('id', l.id, 'name', jsonb_build_object('zh-CN', l.name_zh, 'en', l.name_en), 'percent', l.percent,
                    'price', (select price from level_prices where level_id = l.id and spec_id = t.spec_id and currency = p_currency))
                    from levels l where l.id = (select shopper_level(p_user) where exists (select 1 from levels where active)))))
      from (
      select g.id, g.key, g.name_zh, g.name_en, g.image, g.recharge_type, g.spec_type, g.fields, g.need_verify_account,
             g.min_qty, g.max_qty, g.custom_min, g.custom_max, g.custom_step, g.custom_unit, s.id as spec_id,
             s.key as spec_key, s.name_zh as spec_name_zh, s.name_en as spec_name_en, s.max_qty as spec_max_qty, p.price,
             g.recharge_type = {RechargeType.CardCode} and s.shared as shared
        from goods g
        left join goods_specs s on g.spec_type = {SpecType.FaceValues} and s.goods_id = g.id and s.id = p_spec and s.active
        left join prices p on p.goods_id = g.id and p.currency = p_currency and p.spec_id is not distinct from s.id
       where g.id = p_goods and (g.status = {GoodsStatus.OnShelf} or (g.status = {GoodsStatus.VipShelf} and p_vip))
    ) t);
end $$;
