-- What the watcher saw and did, and who is told of it.
create table release_events (
  -- Made of what happened, so that several servers record it once.
  id text primary key,
  at timestamptz not null default now(),
  channel text not null,
  kind text not null check (kind in ('rollback', 'canary-back', 'canary-step', 'alert')),
  name text not null,
  version text not null,
  why text not null,
  evidence jsonb not null
);
create index release_events_at on release_events (at desc);

create table release_webhooks (
  event_id text not null references release_events (id) on delete cascade,
  -- A hash of the address: the address itself can be a secret.
  target text not null,
  attempts integer not null default 0,
  next_at timestamptz not null default now(),
  delivered_at timestamptz,
  last_error text,
  primary key (event_id, target)
);
create index release_webhooks_due on release_webhooks (next_at) where delivered_at is null;
