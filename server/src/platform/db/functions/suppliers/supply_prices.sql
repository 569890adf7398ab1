-- The lowest price of a value in each currency that everyone can pay, and its cost at the supplier; both are minor units per piece.
-- The cost is null, and the value available, without an answer for the goods' stock type. Custom amounts have no values.
create or replace function supply_prices(p_spec bigint)
returns table (currency text, price bigint, cost bigint, available boolean, is_low boolean) language sql stable as $$
  select p.currency, p.price, p.cost, p.available,
         coalesce(p.cost * 100 > p.price * (100 - p.margin_percent), false)
    from (
      select l.currency::text as currency, coalesce(f.available, true) as available, (f.costs ->> l.currency)::bigint as cost,
             least(l.price, (select min(t.price) from price_steps t where t.spec_id = s.id and t.currency = l.currency)) as price,
             (select margin_percent from suppliers where name = f.supplier) as margin_percent
        from goods_specs s join goods g on g.id = s.goods_id join prices l on l.spec_id = s.id
        left join supplier_offers f on f.spec_id = s.id and f.stock_type = g.stock_type
         and g.recharge_type in ({RechargeType.Direct}, {RechargeType.Proxy})
       where s.id = p_spec) p
   order by p.currency;
$$;
