-- A change of a channel's settings is told like every other change of its map.
alter table release_events drop constraint release_events_kind_check;
alter table release_events add constraint release_events_kind_check check (kind in (
  'rollback', 'canary-back', 'canary-step', 'alert',
  'create', 'promote', 'canary', 'abandon', 'restore', 'freeze', 'unfreeze', 'render-off', 'render-on', 'settings',
  'break-glass'));
