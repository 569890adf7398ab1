-- What an order of the goods depends on, the buyer apart; null when they are not on a shelf of the buyer's.
create or replace function order_terms(p_goods bigint, p_spec bigint, p_currency text, p_vip boolean) returns jsonb
language plpgsql stable as $$
begin
  return (
    select to_jsonb(t) from (
      select g.id, g.key, g.name_zh, g.name_en, g.image, g.recharge_type, g.spec_type, g.fields, g.need_verify_account,
             g.min_qty, g.max_qty, g.custom_min, g.custom_max, g.custom_step, g.custom_unit, s.id as spec_id,
             s.key as spec_key, s.name_zh as spec_name_zh, s.name_en as spec_name_en, s.max_qty as spec_max_qty, p.price
        from goods g
        left join goods_specs s on g.spec_type = {SpecType.FaceValues} and s.goods_id = g.id and s.id = p_spec and s.active
        left join prices p on p.goods_id = g.id and p.currency = p_currency and p.spec_id is not distinct from s.id
       where g.id = p_goods and (g.status = {GoodsStatus.OnShelf} or (g.status = {GoodsStatus.VipShelf} and p_vip))
    ) t);
end $$;
