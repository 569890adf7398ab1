-- Sets or ends the hold of each value of these goods, or of all goods if p_goods is null: one price too low for its cost, or none
-- left at the supplier. Returns the number of holds that changed. The goods are locked, so that a new price and a new cost, stored at the
-- same time, are compared.
create or replace function supply_refresh(p_goods bigint[]) returns integer language plpgsql as $$
declare
  v_changed integer;
begin
  perform 1 from goods where p_goods is null or id = any (p_goods) order by id for no key update;
  with answered as (
    select s.id, case when bool_or(p.is_low) then 'cost' when not bool_and(p.available) then 'out' end as hold
      from goods_specs s left join lateral supply_prices(s.id) p on true
     where p_goods is null or s.goods_id = any (p_goods)
     group by s.id
  )
  update goods_specs s set supply_hold = a.hold, supply_held_at = case when a.hold is not null then clock_timestamp() end
    from answered a where a.id = s.id and s.supply_hold is distinct from a.hold;
  get diagnostics v_changed = row_count;
  return v_changed;
end $$;
