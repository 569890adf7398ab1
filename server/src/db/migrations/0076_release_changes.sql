-- Every change of a release map is told, whoever made it, and every use of the shared token of /ops.
alter table release_events drop constraint release_events_kind_check;
alter table release_events add constraint release_events_kind_check check (kind in (
  'rollback', 'canary-back', 'canary-step', 'alert',
  'create', 'promote', 'canary', 'abandon', 'restore', 'freeze', 'unfreeze', 'render-off', 'render-on', 'break-glass'));
alter table release_events add column who text not null default 'watcher';

-- The revision of a channel's map up to which its changes were recorded.
create table release_changes_told (
  channel text primary key,
  rev integer not null
);
