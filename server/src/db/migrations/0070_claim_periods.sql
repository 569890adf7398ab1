-- When a coupon can be claimed. What somebody has claimed stays theirs until its own end.
alter table coupons
  add column claim_from timestamptz,
  add column claim_until timestamptz,
  add check (claim_until is null or claim_from is null or claim_until >= claim_from);
-- Claims of a coupon, and which of them were used.
create index user_coupons_coupon on user_coupons (coupon_id, use_status);
