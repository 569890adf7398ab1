-- Placing and paying an order are planned once a connection, by indexes. Left to itself the planner computes the taking of stock
-- anew for every order, because its limit is a parameter; and a plan made while a table was small reads it from end to end until
-- somebody analyses it, which the embedded database, without autovacuum, does seldom.
do $$
declare
  v_function regprocedure;
begin
  foreach v_function in array array['order_create', 'order_pay', 'idempotency_take', 'idempotency_keep',
      'ledger_sums_to_zero']::regproc[] loop
    execute format('alter function %s set enable_seqscan = off set plan_cache_mode = force_generic_plan', v_function);
  end loop;
end $$;
