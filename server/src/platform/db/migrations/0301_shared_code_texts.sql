-- Texts for all buyers have no versions: an order keeps the text that it was delivered with.
alter table shared_code_versions rename to shared_code_texts;
alter table shared_code_texts drop column version, drop column written_by, drop column written_at;
create index shared_code_texts_spec on shared_code_texts (spec_id, id);
alter table shared_code_orders rename column version_id to text_id;
alter table goods_specs drop column shows_newest;
update protected_tables set name = 'shared_code_texts' where name = 'shared_code_versions';
