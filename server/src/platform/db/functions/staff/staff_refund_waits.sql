create or replace function staff_refund_waits(p_order bigint) returns boolean language sql as $$
  select exists (select 1 from staff_refunds where order_id = p_order and state = 'waiting')
$$;
