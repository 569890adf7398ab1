-- What an account without a phone signs in with and gets its codes at; `email` stays the unproved address of the profile.
alter table users add column sign_in_email text unique;
-- So that it is never a question which of two gets a code.
alter table users add constraint users_one_identifier check (phone is null or sign_in_email is null);
