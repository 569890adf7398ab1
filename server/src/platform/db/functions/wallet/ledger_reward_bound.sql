-- A reward is at most the share of its order, and at most what was given is taken back, whatever the code above does.
create or replace function ledger_reward_bound() returns trigger language plpgsql as $$
declare
  v_given bigint;
begin
  v_given := (select coalesce(sum(e.amount), 0) from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
    where t.order_id = new.order_id and t.type in ({LedgerType.Reward}, {LedgerType.RewardBack}) and e.account = 'available');
  if v_given < 0 or v_given > coalesce((select amount from invite_rewards where order_id = new.order_id), 0) then
    raise exception 'the reward of order % is %', new.order_id, v_given using errcode = '23514';
  end if;
  return null;
end $$;
