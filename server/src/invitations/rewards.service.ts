import { LedgerType } from '@shop/shared/domain';
import type { HoldReason } from '../accounts/invitations/bind-invitation.service';
import { type InviteSettings, inviteSettings } from '../accounts/invitations/invite-settings.service';
import type { AppContext } from '../context';
import { addEntry } from '../platform/audit/audit';
import { tryAll } from '../platform/db/batches';
import type { Sql } from '../platform/db/sql';
import type { Currency } from '../platform/http/schemas';
import { postToWallet } from '../wallet/wallet.service';

const BATCH = 200;
const ACTOR = 'job';
/** What cannot be settled now is looked at again. */
const LATER = {
  /** The order may still be refunded, or the wallet holds less than is taken back. */
  day: '1 day',
  /** The money of a day is given out. */
  hour: '1 hour',
} as const;

/**
 * Books the rewards of orders that were delivered, pays those that are due, and takes back what refunds have lessened. Any number of processes may
 * run it: an order has one reward, and each is settled under the lock of its inviter. While invitations do not count it only takes back.
 */
export async function settleInvitations({ db }: Pick<AppContext, 'db'>): Promise<number> {
  const settings = await inviteSettings(db);
  if (!settings) return 0;
  if (settings.enabled) await bookRewards(db, settings);
  const due = await db.rows<{ id: number; inviter_id: number }>(
    `select r.id, r.inviter_id from invite_rewards r join invitations i on i.invitee_id = r.invitee_id
      where r.settle_at <= clock_timestamp() and (r.state = 'paid' or (r.state = 'waiting' and $1 and i.state <> 'held'))
      order by r.settle_at, r.id limit ${BATCH}`,
    [settings.enabled],
  );
  return tryAll(
    due.map(
      ({ id, inviter_id }) =>
        () =>
          db.withTransaction((sql) => settle(sql, settings, id, inviter_id)).then(Number),
    ),
  );
}

/**
 * The first orders that whoever was invited has paid and received, in the order of their delivery; one that is refunded keeps its place.
 * Another process may have booked the same ones meanwhile.
 */
const bookRewards = (sql: Sql, { hold_days, cny_per_day, usd_per_day }: InviteSettings): Promise<number> =>
  sql.run(
    `insert into invite_rewards (order_id, invitee_id, inviter_id, number, currency, percent, amount, due_at, settle_at)
     select o.id, i.invitee_id, i.inviter_id, i.booked + o.place, o.currency, i.percent,
            least(o.total_amount * i.percent / 100, case o.currency when 'CNY' then $2::bigint else $3::bigint end),
            o.finished_at + make_interval(days => $1), o.finished_at + make_interval(days => $1)
       from (
         select v.*, (select count(*) from invite_rewards where invitee_id = v.invitee_id) as booked
           from invitations v join users u on u.id = v.inviter_id
          where v.state <> 'refused' and v.ends_at > clock_timestamp() - interval '1 day' and u.erased_at is null) i
       cross join lateral (
         select f.*, row_number() over (order by f.finished_at, f.id) as place from (
           select id, currency, total_amount, finished_at from orders where user_id = i.invitee_id and hidden_at is null
           union all
           select id, currency, total_amount, finished_at from orders where user_id = i.invitee_id and hidden_at is not null) f
          where f.finished_at between i.created_at and i.ends_at and f.total_amount > 0
            and not exists (select 1 from invite_rewards where order_id = f.id)
          order by f.finished_at, f.id limit greatest(i.orders - i.booked, 0)) o
     on conflict do nothing`,
    [hold_days, cny_per_day, usd_per_day],
  );

interface Reward {
  id: number;
  order_id: number;
  invitee_id: number;
  inviter_id: number;
  currency: Currency;
  percent: number;
  amount: number;
  paid: number;
  taken_back: number;
  state: 'waiting' | 'paid' | 'lapsed';
  due_at: Date;
}

/**
 * Whether money moved. The inviter's row is locked before the reward's, as staff and the erasure of an account lock; the order is read
 * after the reward is locked: a refund that is not seen then looks for the reward later, and has it settled again.
 */
async function settle(sql: Sql, settings: InviteSettings, id: number, inviterId: number): Promise<boolean> {
  await sql.one('select 1 from users where id = $1 for no key update', [inviterId]);
  const reward = await sql.row<Reward>(
    'select * from invite_rewards where id = $1 and settle_at <= clock_timestamp() for update',
    [id],
  );
  if (!reward) return false;
  const { entitled } = await sql.one<{ entitled: number }>(
    `select least($2::bigint, (total_amount - refunded_amount) * $3::bigint / 100) as entitled from orders where id = $1`,
    [reward.order_id, reward.amount, reward.percent],
  );
  return reward.state === 'paid' ? takeBack(sql, reward, entitled) : pay(sql, settings, reward, entitled);
}

async function takeBack(sql: Sql, reward: Reward, entitled: number): Promise<boolean> {
  const owed = reward.paid - reward.taken_back - entitled;
  if (owed <= 0) {
    await settleAgain(sql, reward, null);
    return false;
  }
  const wallet = await sql.row<{ balance: number }>(
    'select balance from wallets where user_id = $1 and currency = $2 for update',
    [reward.inviter_id, reward.currency],
  );
  const taken = Math.min(owed, wallet?.balance ?? 0);
  if (taken > 0) {
    await post(sql, reward, LedgerType.RewardBack, -taken);
    await sql.run('update invite_rewards set taken_back = taken_back + $2 where id = $1', [reward.id, taken]);
  }
  await settleAgain(sql, reward, taken === owed ? null : LATER.day);
  return taken > 0;
}

async function pay(sql: Sql, settings: InviteSettings, reward: Reward, entitled: number): Promise<boolean> {
  const now = await sql.one<{
    invitation: 'counts' | 'held' | 'refused';
    is_decided: boolean;
    is_gone: boolean;
    is_due: boolean;
    may_be_refunded: boolean;
    today: number;
  }>(
    `select i.state as invitation, i.decided_at is not null as is_decided, u.erased_at is not null as is_gone,
            $2::timestamptz <= clock_timestamp() as is_due,
            o.disputed or o.refund_state = 'requested' or staff_refund_waits(o.id) as may_be_refunded,
            (select coalesce(sum(paid), 0)::bigint from invite_rewards
              where inviter_id = u.id and currency = o.currency and paid_at > clock_timestamp() - interval '1 day') as today
       from invite_rewards r join invitations i on i.invitee_id = r.invitee_id join users u on u.id = r.inviter_id
       join orders o on o.id = r.order_id where r.id = $1`,
    [reward.id, reward.due_at],
  );
  if (now.invitation === 'refused' || now.is_gone || entitled === 0) {
    await sql.run("update invite_rewards set state = 'lapsed', settle_at = 'infinity' where id = $1", [reward.id]);
    return false;
  }
  const perDay = reward.currency === 'CNY' ? settings.cny_per_day : settings.usd_per_day;
  if (now.invitation === 'held') return false;
  if (!now.is_due) await settleAt(sql, reward, reward.due_at);
  else if (now.may_be_refunded) await settleAgain(sql, reward, LATER.day);
  else if (!now.is_decided && (await holdForOnePerson(sql, reward))) return false;
  // One reward of a day may be all of its money, also of a day whose money was lessened since.
  else if (now.today > 0 && now.today + entitled > perDay) await settleAgain(sql, reward, LATER.hour);
  else {
    await post(sql, reward, LedgerType.Reward, entitled);
    await sql.run(
      "update invite_rewards set state = 'paid', paid = $2, paid_at = clock_timestamp(), settle_at = 'infinity' where id = $1",
      [reward.id, entitled],
    );
    return true;
  }
  return false;
}

/** What two accounts share since they were bound: whoever pays, or the device on which both gave a code. */
async function holdForOnePerson(sql: Sql, { invitee_id, inviter_id }: Reward): Promise<boolean> {
  const shared = await sql.one<{ payment: boolean; device: boolean }>(
    `select exists (select 1 from payers a join payers b on b.payer_hash = a.payer_hash and b.user_id <> a.user_id where a.user_id = $1) as payment,
            exists (select 1 from known_devices a join known_devices b on b.device = a.device and b.user_id = $2
                     where a.user_id = $1) as device`,
    [invitee_id, inviter_id],
  );
  const reasons: HoldReason[] = [
    ...(shared.payment ? (['payment'] as const) : []),
    ...(shared.device ? (['device'] as const) : []),
  ];
  if (reasons.length === 0) return false;
  await sql.run("update invitations set state = 'held', reasons = reasons || $2::text[] where invitee_id = $1", [
    invitee_id,
    reasons,
  ]);
  await addEntry(sql, { actor: ACTOR, action: 'invitation.hold', userId: invitee_id, detail: { reasons } });
  return true;
}

const post = (sql: Sql, { inviter_id, currency, order_id }: Reward, type: LedgerType, available: number) =>
  postToWallet(sql, {
    userId: inviter_id,
    currency,
    type,
    available,
    counter: 'rewards',
    orderId: order_id,
    actor: ACTOR,
  });

/** null: not before another refund. */
const settleAgain = (sql: Sql, { id }: Reward, after: string | null) =>
  sql.run(
    "update invite_rewards set settle_at = case when $2::text is null then 'infinity' else clock_timestamp() + $2::interval end where id = $1",
    [id, after],
  );
const settleAt = (sql: Sql, { id }: Reward, at: Date) =>
  sql.run('update invite_rewards set settle_at = $2 where id = $1', [id, at]);
