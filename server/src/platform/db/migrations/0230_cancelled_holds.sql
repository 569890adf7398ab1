alter table order_holds drop constraint order_holds_state_check,
  add constraint order_holds_state_check check (state in ('held', 'released', 'refunded', 'cancelled'));
