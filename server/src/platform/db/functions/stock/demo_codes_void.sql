-- Takes the demonstration's codes off sale and closes unpaid orders that reserve some. Returns the number of codes.
create or replace function demo_codes_void() returns bigint language plpgsql as $$
declare
  v_voided bigint;
begin
  perform order_close(o.id, 3, 'system') from orders o
    where o.status = {OrderStatus.Unpaid} and o.closed_at is null
      and exists (select 1 from card_codes c where c.order_id = o.id and c.demo and c.state = {CardState.Reserved});
  update card_codes set state = {CardState.Void} where demo and state = {CardState.Free};
  get diagnostics v_voided = row_count;
  return v_voided;
end $$;
