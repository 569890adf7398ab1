-- Browser reports about releases. No column identifies a user: a network is a keyed hash of its address.

-- The time at which a release went live or its canary got its share, by the clock of this database.
create table release_periods (
  channel text not null,
  name text not null,
  kind text not null check (kind in ('live', 'canary')),
  rev integer not null,
  version text not null,
  -- Changes with every promotion and every share.
  mark text not null,
  traffic double precision not null,
  since timestamptz not null default now(),
  primary key (channel, name, kind)
);

-- Counted visits by minute. `traffic`: percent of the visitors who got this release at that time; 0 for an open tab of an older
-- one.
create table release_minutes (
  name text not null,
  version text not null,
  minute timestamptz not null,
  traffic double precision not null,
  language text not null,
  device text not null,
  signed_in boolean not null,
  visits integer not null,
  failures integer not null,
  primary key (name, version, minute, traffic, language, device, signed_in)
);
create index release_minutes_minute on release_minutes (minute);

-- One sample per network: its first visit within six hours.
create table release_votes (
  name text not null,
  version text not null,
  traffic double precision not null,
  network bigint not null,
  visit bigint not null,
  at timestamptz not null,
  language text not null,
  device text not null,
  signed_in boolean not null,
  failed boolean not null,
  primary key (name, version, traffic, network)
);
create index release_votes_at on release_votes (at);

-- Samples of web vitals in buckets of 10 %, by hour.
create table release_vitals (
  name text not null,
  version text not null,
  hour timestamptz not null,
  metric text not null,
  bucket smallint not null,
  samples integer not null,
  primary key (name, version, hour, metric, bucket)
);
create index release_vitals_hour on release_vitals (hour);

create table release_errors (
  name text not null,
  version text not null,
  hour timestamptz not null,
  kind text not null,
  -- File of the release, line and column; empty if unknown.
  at text not null,
  visits integer not null,
  primary key (name, version, hour, kind, at)
);
create index release_errors_hour on release_errors (hour);

create table release_events (
  -- Derived from the event, so that several servers record it once.
  id text primary key,
  at timestamptz not null default now(),
  channel text not null,
  kind text not null check (kind in (
    'rollback', 'canary-back', 'canary-step', 'alert',
    'create', 'promote', 'canary', 'abandon', 'restore', 'freeze', 'unfreeze', 'render-off', 'render-on')),
  name text not null,
  version text not null,
  why text not null,
  evidence jsonb not null,
  who text not null default 'watcher'
);
create index release_events_at on release_events (at desc);
create trigger release_events_append_only before update or delete on release_events
  for each row when (old.at > now() - interval '30 days') execute function refuse_change();

create table release_webhooks (
  event_id text not null references release_events (id) on delete cascade,
  -- A hash of the URL, because the URL itself can be a secret.
  target text not null,
  attempts integer not null default 0,
  next_at timestamptz not null default now(),
  delivered_at timestamptz,
  last_error text,
  primary key (event_id, target)
);
create index release_webhooks_due on release_webhooks (next_at) where delivered_at is null;

-- The revision of a channel's map up to which its changes were recorded.
create table release_changes_told (
  channel text primary key,
  rev integer not null
);

-- Visits of the last hours and their funnel steps, so that each counts once. A visit is a random number of a document.
create table release_visits (
  visit text primary key,
  network bigint not null,
  rev integer not null,
  at timestamptz not null,
  -- Whether it is its network's first visit with this revision.
  stands boolean not null,
  steps text[] not null
);
create index release_visits_at on release_visits (at);
create unique index release_visits_standing on release_visits (network, rev) where stands;

-- Of the visits that reached the first step of a path, the number that reached the second; by minute.
create table release_steps (
  -- Servers of the version before also write days; the next release drops this column.
  length text not null default 'minute' check (length in ('minute', 'day')),
  at timestamptz not null,
  name text not null,
  version text not null,
  traffic double precision not null,
  -- Whether the visits are in the control group, which has the size of the canary's.
  control boolean not null,
  stands boolean not null,
  path text not null,
  -- Words such as the language; they do not identify a user.
  segment text[] not null,
  visits integer not null,
  reached integer not null,
  primary key (length, at, name, version, traffic, control, stands, path, segment)
);
create index release_steps_name on release_steps (name, at) where length = 'minute';
