-- Staff sign in with a password only. What needs a fresh code asks when the session proved one last.
alter table staff_people drop column subject;
alter table staff_sessions add column code_at timestamptz not null default now();
