-- What staff and ops did, newest first, of everybody or of one.
create index audit_log_acts on audit_log (at, id) where actor <> 'user';
create index audit_log_acts_of on audit_log (actor, at, id) where actor <> 'user';
