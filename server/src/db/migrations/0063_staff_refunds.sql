-- Refunds of staff above the amount that needs a second person. amount: minor units; null for all that is left.
create table staff_refunds (
  id bigint generated always as identity primary key,
  -- The refund's number once it is made; the same number again is the same wish.
  refund_no text not null unique,
  order_id bigint not null references orders (id),
  amount bigint check (amount > 0),
  target text not null check (target in ('wallet', 'source')),
  reason text not null,
  not_delivered boolean not null,
  revealed_ok boolean not null,
  asked_by bigint not null references staff_people (id),
  asked_at timestamptz not null default clock_timestamp(),
  -- agreed: being made; agreeing again makes it, once.
  state text not null default 'waiting' check (state in ('waiting', 'agreed', 'done', 'refused')),
  decided_by bigint references staff_people (id),
  decided_at timestamptz,
  check ((state = 'waiting') = (decided_by is null)),
  check (state not in ('agreed', 'done') or decided_by <> asked_by)
);
create unique index staff_refunds_waiting on staff_refunds (order_id) where state in ('waiting', 'agreed');
insert into protected_tables (name, may_update) values ('staff_refunds', true);

-- Of a person who is erased no words stay.
create function staff_refunds_erase() returns trigger language plpgsql as $$
begin
  update staff_refunds set reason = '' where order_id in (select id from orders where user_id = new.id);
  return null;
end $$;
create trigger users_erase_staff_refunds after update of erased_at on users
  for each row when (old.erased_at is null and new.erased_at is not null) execute function staff_refunds_erase();
