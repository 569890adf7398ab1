create or replace function shelf_follow_goods() returns trigger language plpgsql as $$
begin
  perform shelf_refresh(array_agg(n.id)) from added n join removed o using (id)
   where (n.status, n.category_id, n.initial, n.recharge_type, n.sort, n.sales, n.custom_min) is distinct from
     (o.status, o.category_id, o.initial, o.recharge_type, o.sort, o.sales, o.custom_min) having count(*) > 0;
  return null;
end $$;
