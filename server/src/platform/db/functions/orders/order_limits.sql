-- Checks whether a user may order this many more pieces of the goods. From here on, orders of one user are placed one by one, so
-- that the limits hold when several are placed at the same time. v_max_unpaid limits unpaid orders; p_max_held the pieces that
-- several unpaid orders reserve together, while a single order may have as many as its goods allow; v_max_closed the orders
-- closed without payment within an hour. Raises SHOPE 43011 (too many unpaid), 42901 (too many closed), 42222 (the limit of the
-- goods).
create or replace function order_limits(p_user bigint, p_goods bigint, p_quantity integer, p_max_held integer) returns void
language plpgsql as $$
declare
  v_max_unpaid constant integer := 5;
  v_max_closed constant integer := 20;
  g record;
  v_bought bigint;
  v_open integer;
  v_held bigint;
begin
  perform 1 from users where id = p_user for no key update;
  select count(*), coalesce(sum(quantity), 0) into v_open, v_held from orders
   where user_id = p_user and status = {OrderStatus.Unpaid} and closed_at is null and hidden_at is null and expire_at > clock_timestamp();
  if v_open >= v_max_unpaid or (v_open > 0 and v_held + p_quantity > p_max_held) then
    raise exception '43011' using errcode = 'SHOPE';
  end if;
  if exists (select 1 from rate_limits where key = 'closed:' || p_user and resets_at > clock_timestamp()
      and hits >= v_max_closed) then
    raise exception '42901' using errcode = 'SHOPE';
  end if;
  select per_user, per_day into g from goods where id = p_goods;
  if g.per_user > 0 then
    select coalesce(sum(quantity - refunded_quantity), 0) into v_bought from orders
     where user_id = p_user and goods_id = p_goods and closed_at is null and status <> {OrderStatus.Refunded};
    if v_bought + p_quantity > g.per_user then
      raise exception '42222' using errcode = 'SHOPE';
    end if;
  end if;
  if g.per_day > 0 then
    select coalesce(sum(quantity - refunded_quantity), 0) into v_bought from orders
     where user_id = p_user and goods_id = p_goods and closed_at is null and status <> {OrderStatus.Refunded}
       and created_at > clock_timestamp() - interval '1 day';
    if v_bought + p_quantity > g.per_day then
      raise exception '42222' using errcode = 'SHOPE';
    end if;
  end if;
end $$;
