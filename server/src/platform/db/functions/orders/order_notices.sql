-- Events of a user's orders that the user did not cause, in the last 90 days: of at most 200 orders, so that the cost is the same
-- for every user. A code that is delivered with its payment is on the screen already, so it counts as read, unless its order was
-- on hold.
create or replace function order_notices(p_user bigint, p_read bigint)
returns table (id bigint, order_no text, kind text, note text, at timestamptz, read boolean, snapshot jsonb, currency text)
language plpgsql stable as $$
begin
  return query
    select e.id, o.order_no, e.kind, e.note, e.at, e.id <= p_read or (o.recharge_type = {RechargeType.CardCode} and e.kind = 'delivered'
             and not exists (select 1 from order_holds h where h.order_id = o.id)), o.snapshot,
           o.currency::text
      from (select n.id, n.order_no, n.recharge_type, n.snapshot, n.currency from orders n
             where n.user_id = p_user and n.hidden_at is null order by n.id desc limit 200) o
      join lateral (
        select v.id, v.kind, v.note, v.at from order_events v
         where v.order_id = o.id and v.at > now() - interval '90 days'
           and (v.kind in ('asked', 'delivered', 'refunded', 'refunded_source', 'refunded_part', 'refunded_part_source', 'refund_refused',
                  'refund_returned', 'paid_late', 'disputed', 'dispute_won', 'dispute_lost')
             or (v.kind = 'closed' and v.note in ('1', '3')))) e on true;
end $$;
