-- Of a person who is erased neither payers nor reasons stay, and what waits for them is not paid.
create or replace function invitations_erase() returns trigger language plpgsql as $$
begin
  delete from payers where user_id = new.id;
  update invitations set reasons = '{}' where invitee_id = new.id;
  update invite_rewards set state = 'lapsed', settle_at = 'infinity' where inviter_id = new.id and state = 'waiting';
  return null;
end $$;
