-- An outside judge that holds a canary, and a server of another version that has started.
alter table release_events drop constraint release_events_kind_check;
alter table release_events add constraint release_events_kind_check check (kind in (
  'rollback', 'canary-back', 'canary-step', 'canary-held', 'alert', 'server',
  'create', 'promote', 'canary', 'abandon', 'restore', 'freeze', 'unfreeze', 'render-off', 'render-on', 'settings',
  'break-glass'));
