-- A paid order gets the text that its value has now. Returns its pieces; 0 when it is no order of such a value, or has its text.
create or replace function shared_code_deliver(p_order bigint) returns integer language plpgsql as $$
declare
  v_pieces integer;
begin
  update shared_code_orders d
     set text_id = (select t.id from shared_code_texts t where t.spec_id = d.spec_id order by t.id desc limit 1)
   where d.order_id = p_order and d.text_id is null returning d.quantity into v_pieces;
  return coalesce(v_pieces, 0);
end $$;
