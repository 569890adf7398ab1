-- The changes that were committed since a snapshot. Only the newest rows can be among them, but the planner does not know this
-- and would read the whole table.
create or replace function public_changes_since(p_snapshot pg_snapshot) returns setof bigint
language plpgsql stable set enable_seqscan = off as $$
begin
  return query select goods_id from public_changes
    where xid >= pg_snapshot_xmin(p_snapshot) and not pg_visible_in_snapshot(xid, p_snapshot);
end $$;
