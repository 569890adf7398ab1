-- Runs at the end of the transaction, when all entries exist.
create or replace function ledger_sums_to_zero() returns trigger
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
begin
  if exists (
    select 1 from ledger_entries where transaction_id = new.transaction_id group by currency having sum(amount) <> 0
  ) then
    raise exception 'ledger transaction % does not sum to zero', new.transaction_id using errcode = '23514';
  end if;
  return null;
end $$;
