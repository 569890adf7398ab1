-- What people at /staff have edited, newest first: entries with what was before.
create index audit_log_edits on audit_log (subject, id) where detail ? 'before';
