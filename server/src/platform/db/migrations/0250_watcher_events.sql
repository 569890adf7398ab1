-- Canaries are not held from outside any more, and the start of a server is no event.
delete from release_events where kind in ('canary-held', 'server');
alter table release_events drop constraint release_events_kind_check;
alter table release_events add constraint release_events_kind_check check (kind in (
  'rollback', 'canary-back', 'canary-step', 'alert',
  'create', 'promote', 'canary', 'abandon', 'restore', 'freeze', 'unfreeze', 'render-off', 'render-on', 'settings',
  'break-glass'));
