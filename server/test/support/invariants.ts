import type { Sql } from '../../src/platform/db/sql';

export const invariants: Record<string, string> = {
  'every transaction sums to zero per currency': `
    select transaction_id as id from ledger_entries group by transaction_id, currency having sum(amount) <> 0`,
  'every transaction moves money': `
    select t.id from ledger_transactions t where not exists (select 1 from ledger_entries e where e.transaction_id = t.id)`,
  'a balance is the sum of its log': `
    select w.user_id as id from wallets w
     where w.balance <> coalesce((select sum(amount) from ledger_entries e where e.user_id = w.user_id and e.currency = w.currency and e.account = 'available'), 0)
        or w.frozen <> coalesce((select sum(amount) from ledger_entries e where e.user_id = w.user_id and e.currency = w.currency and e.account = 'frozen'), 0)`,
  'a balance is the last balance_after': `
    select w.user_id as id from wallets w
     where w.balance <> coalesce((select balance_after from ledger_entries e where e.user_id = w.user_id and e.currency = w.currency and e.account = 'available' order by id desc limit 1), 0)`,
  'balance_after runs without a gap': `
    select id from (
      select id, balance_after, sum(amount) over (partition by user_id, currency order by id) as running
        from ledger_entries where account = 'available') log where balance_after <> running`,
  'no balance is ever negative': `
    select user_id as id from wallets where balance < 0 or frozen < 0
    union all select id from ledger_entries where account = 'available' and balance_after < 0`,
  'a finished card order has its codes': `
    select o.id from orders o
     where o.recharge_type = 1 and o.status = 30 and o.quantity - o.refunded_quantity <> (select count(*) from card_codes c where c.order_id = o.id and c.state = 2)
       and not exists (select 1 from shared_code_orders d where d.order_id = o.id)`,
  'an order that waits for its payment, or is held after it, holds its codes': `
    select o.id from orders o
     where o.recharge_type = 1 and ((o.status = 10 and o.closed_at is null) or o.status = 12)
       and o.quantity - o.refunded_quantity <> (select count(*) from card_codes c where c.order_id = o.id and c.state = 1)
       and not exists (select 1 from shared_code_orders d where d.order_id = o.id)`,
  'the codes of an export are void, and as many as it says': `
    select e.id from staff_code_exports e
     where case when e.state = 'done' then e.codes else 0 end <> (select count(*) from card_codes c where c.export_id = e.id and c.state = 3)
        or exists (select 1 from card_codes c where c.export_id = e.id and c.state <> 3)`,
  'a closed order holds no codes': `
    select o.id from orders o where o.closed_at is not null and exists (select 1 from card_codes c where c.order_id = o.id)`,
  'a text for all buyers is with an order once that is delivered and not before, and the order has no code beside it': `
    select o.id from orders o join shared_code_orders d on d.order_id = o.id
     where (d.text_id is not null) <> (o.delivery_status = 20) or (d.text_id is not null and o.paid_at is null)
        or exists (select 1 from card_codes c where c.order_id = o.id)`,
  'an order holds what is left of its pieces until it is delivered, none once it is closed or refunded, and keeps what was delivered': `
    select o.id from orders o join shared_code_orders d on d.order_id = o.id
     where case when d.text_id is null
       then d.quantity <> case when o.closed_at is not null then 0 else o.quantity - o.refunded_quantity end
       else d.quantity not between greatest(1, o.quantity - o.refunded_quantity) and o.quantity end`,
  'a paid order was debited once': `
    select o.id from orders o
     where o.paid_at is not null and o.total_amount > 0 and 1 <> (select count(*) from ledger_transactions t where t.order_id = o.id and t.type = 0)`,
  'an unpaid order was not debited': `
    select o.id from orders o
     where o.paid_at is null and exists (select 1 from ledger_transactions t where t.order_id = o.id and t.type = 0)`,
  'a refunded order got back what was paid, and every order what its refunds say': `
    select o.id from orders o
     where (o.status = 60 and o.refunded_amount <> o.total_amount) or o.refunded_amount > o.total_amount
        or o.refunded_amount <> coalesce((select sum(r.amount) from order_refunds r where r.order_id = o.id), 0)
        or o.refunded_amount <> coalesce((select sum(-e.amount) from ledger_transactions t
             join ledger_entries e on e.transaction_id = t.id and e.account = 'sales' where t.order_id = o.id and t.type = 2), 0)`,
  'an order costs what its steps and its level have left of the list': `
    select o.id from orders o
     where o.snapshot ? 'price' and o.original_amount <> (o.snapshot #>> '{price,list_amount}')::bigint
       - (select sum((part ->> 'amount')::bigint) from jsonb_array_elements(o.snapshot #> '{price,parts}') part)`,
  'a used coupon has a live order': `
    select uc.id from user_coupons uc left join orders o on o.id = uc.order_id
     where uc.use_status = 2 and (o.id is null or o.closed_at is not null or (o.status = 60
       and not exists (select 1 from payment_disputes d where d.payment_id = o.payment_id)))`,
  'a coupon is counted whenever it is received': `
    select c.id from coupons c where c.received < (select count(*) from user_coupons uc where uc.coupon_id = c.id)`,
  // Types 0 and 1 bring money in. Money that arrives after a failure or a close still belongs to the shopper: it goes into the
  // wallet, once.
  'a payment is credited once when paid, at most once when it had ended otherwise, and never before': `
    select p.id from payments p
     where (select count(*) from ledger_transactions t where t.payment_id = p.id and t.type in (0, 1))
           not between (p.state = 'paid')::integer and (p.state <> 'pending')::integer`,
  'at most what was paid goes back, and each refusal returns to the wallet once': `
    select p.id from payments p
     where (select coalesce(sum(amount), 0) from payment_refunds r where r.payment_id = p.id and r.state <> 'failed')
         + (select coalesce(sum(amount), 0) from provider_refunds r where r.payment_id = p.id) > p.amount
        or (select count(*) from ledger_transactions t where t.payment_id = p.id and t.type = 3)
           <> (select count(*) from payment_refunds r where r.payment_id = p.id)
        or (select count(*) from ledger_transactions t where t.payment_id = p.id and t.type = 2)
           <> (select count(*) from payment_refunds r where r.payment_id = p.id and r.state = 'failed')`,
  'a dispute that has ended holds no money': `
    select d.id from payment_disputes d where d.state <> 'open' and d.frozen <> 0`,
  'an order is on hold while a payment of it is disputed': `
    select o.id from orders o where o.disputed <> exists (
      select 1 from payment_disputes d where d.payment_id = o.payment_id and d.state = 'open')`,
  'a paid recharge was credited once': `
    select r.id from recharges r
     where (select count(*) from ledger_transactions t where t.recharge_id = r.id) <> case when r.state = 'paid' then 1 else 0 end`,
  'an inviter has one coupon for each invitation that is rewarded, and none for another': `
    select i.invitee_id as id from invitations i
     where (i.state = 'rewarded') <> exists (select 1 from user_coupons c where c.invitee_id = i.invitee_id and c.user_id = i.inviter_id)
    union all
    select c.invitee_id from user_coupons c where c.invitee_id is not null
       and not exists (select 1 from invitations i where i.invitee_id = c.invitee_id)`,
  'an order on hold is paid and not delivered, and a code waits only during a hold': `
    select o.id from orders o left join order_holds h on h.order_id = o.id
     where (o.held_until is not null) <> coalesce(h.state = 'held', false)
        or (o.held_until is not null and (o.status <> 12 or exists (select 1 from supplier_requests r where r.order_id = o.id)))
        or (o.held_until is null and o.recharge_type = 1 and o.status = 12)`,
  'the timeline ends in the state of the order': `
    select o.id from orders o
     where (o.status, o.delivery_status) is distinct from
           (select (v.status, v.delivery_status) from order_events v where v.order_id = o.id order by v.id desc limit 1)`,
};

/** Name of each violated invariant, with up to ten ids; {} if all hold. */
export async function faultsOf(sql: Sql): Promise<Record<string, number[]>> {
  const faults: Record<string, number[]> = {};
  for (const [name, query] of Object.entries(invariants)) {
    const rows = await sql.rows<{ id: number }>(`select id from (${query}) broken limit 10`);
    if (rows.length) faults[name] = rows.map((row) => row.id);
  }
  return faults;
}
