drop table staff_push_subscriptions;
