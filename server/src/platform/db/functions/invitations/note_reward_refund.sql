-- A refund may lessen the reward of its order: the job looks at it.
create or replace function note_reward_refund() returns trigger language plpgsql as $$
begin
  update invite_rewards set settle_at = clock_timestamp() where order_id = new.id and state <> 'lapsed';
  return null;
end $$;
