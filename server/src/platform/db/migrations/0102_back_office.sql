-- Role ops, and people for whom a provider vouches.
alter table staff_people drop constraint staff_people_role_check;
alter table staff_people
  add constraint staff_people_role_check check (role in ('seller', 'stock', 'money', 'manager', 'ops')),
  add column subject text unique;
