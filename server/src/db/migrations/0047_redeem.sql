-- Where and how to use what was bought: one step a line.
alter table goods add column redeem_zh text not null default '', add column redeem_en text not null default '';
