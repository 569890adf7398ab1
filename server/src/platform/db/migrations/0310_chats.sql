alter table notices drop constraint notices_channel_check;
alter table notices add constraint notices_channel_check check (channel in ('mail', 'push', 'webhook', 'chat'));
