-- account_erase replaces these triggers.
drop trigger users_erased on users;
drop trigger users_erase_staff_refunds on users;
drop trigger users_erase_person_notes on users;
drop trigger users_erase_countries on users;
drop trigger users_erase_notices on users;
