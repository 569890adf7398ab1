-- Gives a paid order the current text of its specification. Returns its pieces, or 0 when the specification is not sold this way
-- or the order has its text already.
create or replace function shared_code_deliver(p_order bigint) returns integer language plpgsql as $$
declare
  v_pieces integer;
begin
  update shared_code_orders d
     set text_id = (select t.id from shared_code_texts t where t.spec_id = d.spec_id order by t.id desc limit 1)
   where d.order_id = p_order and d.text_id is null returning d.quantity into v_pieces;
  return coalesce(v_pieces, 0);
end $$;
