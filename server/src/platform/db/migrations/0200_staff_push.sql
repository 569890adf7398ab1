-- Pushes to staff.
-- Browsers of staff that are told of orders and of stock. They outlive the half hour of a session: who is away from the console is told.
create table staff_push_subscriptions (
  id bigint generated always as identity primary key,
  staff_id bigint not null references staff_people (id),
  -- SHA-256 of what a cookie of the browser holds: a sign-out there ends it, whoever had signed in.
  browser_hash bytea not null,
  endpoint text not null unique,
  -- Keys of the browser, by which what it gets is encrypted.
  p256dh text not null,
  auth text not null,
  locale text not null,
  -- What happened before is no news.
  created_at timestamptz not null default clock_timestamp(),
  -- When the person signed in last, here or elsewhere.
  signed_in_at timestamptz not null default clock_timestamp()
);
create index staff_push_subscriptions_person on staff_push_subscriptions (staff_id);
create index staff_push_subscriptions_browser on staff_push_subscriptions (browser_hash);
