-- Combines the rules of a price, in this order; docs/product.md has the table of cases that a test runs. Amounts are minor units.
-- 1. The list price. 2. The step price of the quantity, if it is lower. 3. The level of the shopper: its fixed price of the
-- specification if that is lower, otherwise its percentage of the price so far, rounded half up for one piece. 4. A coupon takes
-- from `amount` what priced_coupons returns. Limits of quantity do not depend on prices. A custom value has no step and no fixed
-- price: its level's percentage applies to the whole amount, rounded half up once, because a unit may cost less than one minor
-- unit. No rule raises the price, and none makes it negative. No row is returned if the goods have no price.
create or replace function order_price(p_terms jsonb, p_custom_value bigint, p_quantity integer)
returns table (unit_price bigint, list_amount bigint, amount bigint, step_from integer, step_off bigint, level_off bigint)
language plpgsql immutable as $$
declare
  v_list numeric := (p_terms ->> 'price')::numeric;
  v_price numeric := v_list;
  v_level numeric;
  v_percent numeric := coalesce((p_terms #>> '{level,percent}')::numeric, 100);
  -- JSON represents numbers up to here exactly; a price that reaches it is refused.
  v_most constant numeric := 9e15;
begin
  if v_list is null then
    return;
  end if;
  if p_terms ->> 'spec_type' = {SpecType.Custom}::text then
    v_list := least(v_list * coalesce(p_custom_value, 1) * p_quantity, v_most);
    v_level := div(v_list * v_percent + 50, 100);
    return query select v_price::bigint, v_list::bigint, v_level::bigint, null::integer, 0::bigint, (v_list - v_level)::bigint;
    return;
  end if;
  select (one ->> 'from')::integer, (one ->> 'price')::numeric into step_from, v_price
    from jsonb_array_elements(p_terms -> 'steps') one
   where (one ->> 'from')::integer <= p_quantity and (one ->> 'price')::numeric < v_list
   order by (one ->> 'price')::numeric, (one ->> 'from')::integer limit 1;
  v_price := coalesce(v_price, v_list);
  v_level := least(v_price, coalesce((p_terms #>> '{level,price}')::numeric, div(v_price * v_percent + 50, 100)));
  return query select v_level::bigint, least(v_list * p_quantity, v_most)::bigint, least(v_level * p_quantity, v_most)::bigint, step_from,
    least((v_list - v_price) * p_quantity, v_most)::bigint, least((v_price - v_level) * p_quantity, v_most)::bigint;
end $$;

-- The highest level that a shopper was given or has reached; null without one. It starts from the top, so that shoppers with the
-- highest level cost one lookup.
create or replace function shopper_level(p_user bigint) returns bigint language plpgsql stable as $$
declare
  l record;
begin
  for l in select id, period_days from levels where active order by rank desc, id desc loop
    if exists (select 1 from given_levels where user_id = p_user and level_id = l.id and (until is null or until > clock_timestamp()))
        or exists (select 1 from level_thresholds where level_id = l.id and amount <= shopper_spent(p_user, currency, l.period_days)) then
      return l.id;
    end if;
  end loop;
  return null;
end $$;

-- Minor units that a shopper has spent in a currency on delivered orders in the last days, minus refunds, for a level. The
-- conditions beside the status enable the index of a user's open and paid orders.
create or replace function shopper_spent(p_user bigint, p_currency text, p_days integer) returns bigint language sql stable as $$
  select coalesce(sum(total_amount - refunded_amount), 0)::bigint from orders
   where user_id = p_user and closed_at is null and status = {OrderStatus.Finished} and currency = p_currency and not disputed
     and finished_at > clock_timestamp() - make_interval(days => p_days);
$$;
