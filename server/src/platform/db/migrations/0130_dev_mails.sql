-- The development outbox of mails. Always empty in production.
create table dev_mails (
  id bigint generated always as identity primary key,
  recipient text not null,
  subject text not null,
  text text not null,
  message_id text not null,
  unsubscribe text not null,
  at timestamptz not null default clock_timestamp()
);
create index dev_mails_recipient on dev_mails (recipient, id desc);
