-- All money of a payment that was refunded or is being refunded, by the shop and by the provider.
create or replace function payment_paid_back(p_payment bigint) returns bigint language sql stable as $$
  select ((select coalesce(sum(amount), 0) from payment_refunds where payment_id = p_payment and state <> 'failed')
    + (select coalesce(sum(amount), 0) from provider_refunds where payment_id = p_payment))::bigint
$$;
