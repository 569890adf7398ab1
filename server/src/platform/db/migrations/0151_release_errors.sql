-- What visits failed with first, and where, by hour.
create table release_errors (
  name text not null,
  version text not null,
  hour timestamptz not null,
  kind text not null,
  -- File of the release, line and column; empty where none is known.
  at text not null,
  visits integer not null,
  primary key (name, version, hour, kind, at)
);
create index release_errors_hour on release_errors (hour);
