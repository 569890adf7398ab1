-- close_at: when a closed account is erased; a sign-in before that takes the closure back. erased_at: the row is a pseudonym.
alter table users
  add column close_requested_at timestamptz,
  add column close_at timestamptz,
  add column close_withdrawn_at timestamptz,
  add column erased_at timestamptz;
create index users_close on users (close_at) where close_at is not null;

-- A removed picture is not served any more; its file goes with the next run of the job.
alter table uploads add column removed_at timestamptz;
create index uploads_removed on uploads (removed_at) where removed_at is not null;
create index uploads_user on uploads (user_id);

alter table known_addresses add column seen_at timestamptz not null default now();
create index known_addresses_seen on known_addresses (seen_at);
-- BRIN: costs an order next to nothing.
create index orders_age on orders using brin (created_at);
create index orders_hidden on orders (user_id, id) where hidden_at is not null;
create index payments_user on payments (user_id, id);

-- What keeps an account from being closed or erased: balance, orders, recharges, refunds, disputes.
create function account_blockers(p_user bigint) returns text[] language sql stable as $$
  select coalesce(array_agg(b.reason order by b.place), '{}') from (values
    (1, 'balance', exists (select 1 from wallets where user_id = p_user and (balance > 0 or frozen > 0))),
    (2, 'orders', exists (
      select 1 from orders where user_id = p_user and hidden_at is null and (status = 12 or (status = 10 and closed_at is null)))),
    -- A provider may still tell of money for a payment that ran out within a day.
    (3, 'recharges', exists (select 1 from recharges where user_id = p_user and state = 'pending')
      or exists (select 1 from payments where user_id = p_user and state = 'pending'
        and expire_at > clock_timestamp() - interval '1 day')),
    (4, 'refunds', exists (select 1 from orders where user_id = p_user and refund_state = 'requested')
      or exists (select 1 from payments p join payment_refunds r on r.payment_id = p.id
        where p.user_id = p_user and r.state = 'pending')),
    (5, 'disputes', exists (select 1 from payments p join payment_disputes d on d.payment_id = p.id
        where p.user_id = p_user and d.state = 'open'))
  ) as b (place, reason, blocks) where b.blocks;
$$;

-- A sign-in takes a closure back. Raises SHOPE 41001 when the account was erased meanwhile.
create function closure_withdraw(p_user bigint) returns boolean language plpgsql as $$
begin
  update users set close_requested_at = null, close_at = null, close_withdrawn_at = clock_timestamp()
    where id = p_user and close_at is not null and erased_at is null;
  if found then
    return true;
  elsif exists (select 1 from users where id = p_user and erased_at is not null) then
    raise exception '41001' using errcode = 'SHOPE';
  end if;
  return false;
end $$;
