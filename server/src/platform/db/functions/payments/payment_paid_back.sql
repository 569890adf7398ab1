-- All that went back of a payment, or is on its way: by the shop and at the provider.
create or replace function payment_paid_back(p_payment bigint) returns bigint language sql stable as $$
  select ((select coalesce(sum(amount), 0) from payment_refunds where payment_id = p_payment and state <> 'failed')
    + (select coalesce(sum(amount), 0) from provider_refunds where payment_id = p_payment))::bigint
$$;
