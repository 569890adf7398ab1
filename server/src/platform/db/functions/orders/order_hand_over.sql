-- Delivers the codes, or the text for all buyers, of a paid order that is not on hold, or leaves it to its supplier. Its row already
-- has the new state.
create or replace function order_hand_over(o orders) returns void language plpgsql as $$
declare
  v_pieces integer := o.quantity - o.refunded_quantity;
  v_cards integer;
begin
  if o.recharge_type = {RechargeType.CardCode} then
    update card_codes set state = {CardState.Sold}, sold_at = clock_timestamp() where order_id = o.id and state = {CardState.Reserved};
    get diagnostics v_cards = row_count;
    if v_cards = 0 then
      update shared_code_orders d set text_id = (select max(id) from shared_code_texts where spec_id = d.spec_id)
       where order_id = o.id and text_id is null returning quantity into v_cards;
    end if;
    if coalesce(v_cards, 0) <> v_pieces then
      raise exception 'order % holds % of % cards', o.id, v_cards, v_pieces using errcode = '55000';
    end if;
    insert into order_events (order_id, kind, status, delivery_status) values (o.id, 'delivered', 30, 20);
  elsif o.recharge_type in ({RechargeType.Direct}, {RechargeType.Proxy}) then
    insert into supplier_requests (order_id, supplier, reference) values (o.id, o.stock_type, o.order_no);
  end if;
end $$;
