-- Nothing reads the funnel steps of a day.
delete from release_steps where length = 'day';
alter table release_steps alter column length set default 'minute';
