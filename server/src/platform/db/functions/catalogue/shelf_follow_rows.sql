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
