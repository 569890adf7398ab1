delete from protected_tables where name = 'price_changes';
drop table price_changes;
