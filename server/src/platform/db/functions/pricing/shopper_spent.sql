-- Minor units that a shopper has spent in a currency on delivered orders in the last days, minus refunds, for a level. The
-- conditions beside the status enable the index of a user's open and paid orders.
create or replace function shopper_spent(p_user bigint, p_currency text, p_days integer) returns bigint language sql stable as $$
  select coalesce(sum(total_amount - refunded_amount), 0)::bigint from orders
   where user_id = p_user and closed_at is null and status = {OrderStatus.Finished} and currency = p_currency and not disputed
     and finished_at > clock_timestamp() - make_interval(days => p_days);
$$;
