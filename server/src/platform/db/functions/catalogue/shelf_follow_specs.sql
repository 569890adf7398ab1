-- Updates the shelf when specifications change. Stock counts do not affect a shelf.
create or replace function shelf_follow_specs() returns trigger language plpgsql as $$
begin
  perform shelf_refresh(array_agg(distinct n.goods_id)) from added n join removed o using (id)
   where n.active is distinct from o.active having count(*) > 0;
  return null;
end $$;
