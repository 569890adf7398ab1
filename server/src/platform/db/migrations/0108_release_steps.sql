-- Visits of the last hours and the steps that they have reached, so that each counts once. A visit is a random number of a document.
create table release_visits (
  visit text primary key,
  network bigint not null,
  -- Of the release map of its document.
  rev integer not null,
  at timestamptz not null,
  -- Its network's first with this revision.
  stands boolean not null,
  steps text[] not null
);
create index release_visits_at on release_visits (at);
create unique index release_visits_standing on release_visits (network, rev) where stands;

-- Of the visits that reached the first step of a path, how many reached the second; by minute and by day.
create table release_steps (
  length text not null check (length in ('minute', 'day')),
  at timestamptz not null,
  name text not null,
  version text not null,
  traffic double precision not null,
  -- Of the equal part of the others that a canary is compared with.
  control boolean not null,
  stands boolean not null,
  path text not null,
  -- Words such as the language: nothing of a person.
  segment text[] not null,
  visits integer not null,
  reached integer not null,
  primary key (length, at, name, version, traffic, control, stands, path, segment)
);
create index release_steps_name on release_steps (name, at) where length = 'minute';
