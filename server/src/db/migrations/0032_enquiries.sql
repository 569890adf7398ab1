-- Answered or not worth an answer: closed, by whom and how.
alter table business_enquiries
  add column closed_at timestamptz,
  add column closed_by text not null default '',
  add column answer text not null default '';
create index business_enquiries_open on business_enquiries (id) where closed_at is null;
