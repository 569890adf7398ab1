-- Minor units taken off `p_amount`. Type 10 takes min(reduce, amount); type 20 leaves round-half-up(amount x N / 10).
create or replace function coupon_discount(p_type integer, p_reduce bigint, p_tenths integer, p_amount bigint)
returns bigint language sql immutable as $$
  select case p_type
    when 10 then least(p_reduce, p_amount)
    else p_amount - (p_amount * p_tenths + 50) / 100
  end;
$$;

-- Unused coupons of a user for an order, or only p_only. `off` is the discount if `fault` is 0; otherwise `fault` is the code of
-- the reason why the coupon cannot be used.
create or replace function priced_coupons(p_user bigint, p_goods bigint, p_amount bigint, p_currency text, p_only bigint)
returns table (user_coupon_id bigint, coupon_id bigint, off bigint, fault integer, end_time timestamptz)
language sql stable as $$
  select uc.id, c.id, coalesce(coupon_discount(c.coupon_type, a.reduce_price, c.discount_tenths, p_amount), 0),
         case when a.coupon_id is null then 44007
              when c.status <> {CouponStatus.Enabled} or uc.start_time > clock_timestamp() then 44003
              when c.apply_range = {CouponApplyRange.AssignedGoods} and not exists
                (select 1 from coupon_goods cg where cg.coupon_id = c.id and cg.goods_id = p_goods) then 44005
              when p_amount < a.min_price then 44004
              else 0 end, uc.end_time
    from user_coupons uc join coupons c on c.id = uc.coupon_id
    left join coupon_amounts a on a.coupon_id = c.id and a.currency = p_currency
   where uc.user_id = p_user and uc.use_status = {CouponUseStatus.Unused} and uc.end_time > clock_timestamp()
     and (p_only is null or uc.id = p_only);
$$;
