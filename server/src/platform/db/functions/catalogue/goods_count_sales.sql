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
