-- Minor units taken off `p_amount`. Type 10 takes min(reduce, amount); type 20 leaves round-half-up(amount x N / 10).
create or replace function coupon_discount(p_type integer, p_reduce bigint, p_tenths integer, p_amount bigint)
returns bigint language sql immutable as $$
  select case p_type
    when 10 then least(p_reduce, p_amount)
    else p_amount - (p_amount * p_tenths + 50) / 100
  end;
$$;
