import type { AppContext } from '@shop/server/context';
import { payBack, sendRefunds } from '@shop/server/payments/provider-calls.service';
import { staffActor } from '@shop/server/platform/audit/audit';
import type { Sql } from '@shop/server/platform/db/sql';
import { oneOf } from '@shop/server/platform/http/edit-schemas';
import { ShopError, shopErrorOf } from '@shop/server/platform/http/errors';
import { fromWire, toWire } from '@shop/server/platform/http/money';
import { type Currency, CurrencySchema, IdSchema, NumberSchema } from '@shop/server/platform/http/schemas';
import { postToWallet } from '@shop/server/wallet/wallet.service';
import { ErrorCode, LedgerType } from '@shop/shared/domain';
import { type Static, Type } from 'typebox';
import { decide, makeWithinLimits, type WaitingRow } from '../people/approvals';
import { record } from '../people/record';
import type { StaffViewer } from '../people/staff-sessions.service';
import { insert, amount as wireAmount } from '../sql';
import { lockShopper } from './find.service';
import { keySchema, reasonSchema, type StaffRefundAnswer } from './refunds.service';

export const WalletActBodySchema = Type.Object({
  id: IdSchema,
  kind: oneOf(['credit', 'deduct', 'freeze', 'thaw', 'pay-back'] as const),
  currency: CurrencySchema,
  amount: Type.String({ pattern: '^(?=.*[1-9])\\d{1,10}(\\.\\d{1,2})?$' }),
  payment_no: Type.Optional(NumberSchema),
  reason: reasonSchema,
  key: keySchema,
});
export type WalletActBody = Static<typeof WalletActBodySchema>;

interface WalletAction {
  act_no: string;
  user_id: number;
  kind: WalletActBody['kind'];
  payment_no: string | null;
  currency: Currency;
  /** Minor units. */
  amount: number;
  reason: string;
}
type State = 'waiting' | 'done' | 'refused';

/** Credits of a wallet within this time count together, so that parts do not bypass the limit. */
const CREDIT_PERIOD = '30 days';

/**
 * Credits, deducts from, freezes or thaws a user's wallet, or refunds a payment out of it. An action that gives away money above
 * the shop's amount waits for a second staff member. The same key again is the same action. Throws NotFound,
 * IdempotencyKeyReused, and the errors of `make`.
 */
export async function actOnWallet(
  context: AppContext,
  staff: StaffViewer,
  body: WalletActBody,
): Promise<StaffRefundAnswer> {
  const action = toAction(body);
  const state = await context.db.withTransaction(async (sql): Promise<State> => {
    await lockShopper(sql, action.user_id);
    const stored = await sql.row<WalletAction & { state: State }>('select * from staff_wallet_acts where act_no = $1', [
      action.act_no,
    ]);
    if (stored) {
      const isSame = (['user_id', 'kind', 'payment_no', 'currency', 'amount'] as const).every(
        (name) => stored[name] === action[name],
      );
      if (!isSame) throw new ShopError(ErrorCode.IdempotencyKeyReused);
      return stored.state;
    }
    await requireUsersPayment(sql, action);
    const store = (state: State) => insert(sql, 'staff_wallet_acts', { ...action, asked_by: staff.id, state });
    const { isWithinLimits } = await makeWithinLimits(sql, context.config, staff, async () => {
      await store('done');
      await make(context, sql, action);
      const total = await totalGiven(sql, action);
      return { currency: action.currency, amount: total === 0 ? 0 : action.amount, total };
    });
    if (isWithinLimits) return 'done';
    await store('waiting');
    await enter(sql, action, 'wallet.ask');
    return 'waiting';
  });
  return answerOf(context, action, state);
}

function toAction(body: WalletActBody): WalletAction {
  const { id: user_id, key: act_no, kind, payment_no = null, currency, reason } = body;
  if ((kind === 'pay-back') !== (payment_no !== null)) throw new ShopError(ErrorCode.NotFound);
  return { act_no, user_id, kind, payment_no, currency, amount: fromWire(body.amount) ?? 0, reason };
}

/** Throws NotFound for a payment of another user or in another currency. */
async function requireUsersPayment(sql: Sql, { user_id, currency, payment_no }: WalletAction): Promise<void> {
  const isOwn =
    payment_no === null ||
    (await sql.row('select 1 from payments where payment_no = $1 and user_id = $2 and currency = $3', [
      payment_no,
      user_id,
      currency,
    ]));
  if (!isOwn) throw new ShopError(ErrorCode.NotFound);
}

/** The sum of such actions in minor units, with this one. Freezing, thawing and deducting give nothing away. */
async function totalGiven(sql: Sql, { kind, user_id, currency, payment_no }: WalletAction): Promise<number> {
  if (kind === 'pay-back')
    return sql.value('select payment_paid_back(id) from payments where payment_no = $1', [payment_no]);
  if (kind !== 'credit') return 0;
  return sql.value(
    `select coalesce(sum(amount), 0)::bigint from staff_wallet_acts
      where user_id = $1 and currency = $2 and kind = 'credit' and state = 'done'
        and asked_at > clock_timestamp() - $3::interval`,
    [user_id, currency, CREDIT_PERIOD],
  );
}

/** Throws BalanceTooLow, OrderDisputed (an amount that a dispute has frozen is not thawed) and the errors of payBack. */
async function make(context: AppContext, sql: Sql, walletAction: WalletAction): Promise<void> {
  const { actor } = staffActor();
  const { act_no: refundNo, user_id: userId, kind, payment_no: paymentNo, currency, amount, reason } = walletAction;
  if (kind === 'pay-back') {
    const request = { paymentNo: paymentNo ?? '', refundNo, amount, reason, actor };
    return payBack(context, sql, request).catch((error) => {
      const isTooMuch = shopErrorOf(error)?.code === ErrorCode.PaidAmountMismatch;
      throw isTooMuch ? new ShopError(ErrorCode.RefundTooLarge) : error;
    });
  }
  const moves = {
    credit: { type: LedgerType.Recharge, available: amount },
    deduct: { type: LedgerType.Deduction, available: -amount },
    freeze: { type: LedgerType.Freeze, available: -amount, frozen: amount },
    thaw: { type: LedgerType.Thaw, available: amount, frozen: -amount },
  }[kind];
  await postToWallet(sql, { userId, currency, counter: 'adjustment', remark: reason, actor, ...moves });
  if (kind === 'thaw') await keepDisputedAmount(sql, walletAction);
  await enter(sql, walletAction, `wallet.${kind}`);
}

/** The caller holds the wallet's lock. The end of a dispute thaws or takes the amount that the dispute has frozen, and fails without it. */
async function keepDisputedAmount(sql: Sql, { user_id, currency }: WalletAction): Promise<void> {
  const lacks = await sql.row(
    `select 1 from wallets w where w.user_id = $1 and w.currency = $2 and w.frozen < (
       select coalesce(sum(d.frozen), 0) from payment_disputes d join payments p on p.id = d.payment_id
        where p.user_id = w.user_id and p.currency = w.currency)`,
    [user_id, currency],
  );
  if (lacks) throw new ShopError(ErrorCode.OrderDisputed);
}

function enter(sql: Sql, walletAction: WalletAction, action: string): Promise<void> {
  const { act_no: subject, user_id: userId, kind, amount, currency, reason } = walletAction;
  return record(sql, { action, subject, userId, detail: { kind, amount: toWire(amount), currency, reason } });
}

async function answerOf(context: AppContext, action: WalletAction, state: State): Promise<StaffRefundAnswer> {
  const answer = { amount: toWire(action.amount), currency: action.currency };
  if (state === 'waiting') return { state: 'second', ...answer };
  if (state === 'refused' || action.payment_no === null) return { state, ...answer };
  // If the provider does not answer, the job sends the refund again.
  await sendRefunds(context, action.act_no).catch(() => {});
  const refund = await context.db.value<'pending' | 'done' | 'failed'>(
    'select state from payment_refunds where refund_no = $1',
    [action.act_no],
  );
  return { state: refund === 'failed' ? 'returned' : refund, ...answer };
}

export const waitingWalletActions = (sql: Sql, staff: StaffViewer) =>
  sql.rows<WaitingRow & Pick<WalletAction, 'user_id' | 'kind' | 'payment_no'>>(
    `select a.id, a.user_id, a.kind, ${wireAmount('a.amount')} as amount, a.currency, a.payment_no, a.reason, p.name as asked_by, a.asked_at,
            a.asked_by = $1 as mine
       from staff_wallet_acts a join staff_people p on p.id = a.asked_by where a.state = 'waiting' order by a.id limit 200`,
    [staff.id],
  );

/** Its user is locked first, as by the request of the action. */
const waitingAction = {
  table: 'staff_wallet_acts',
  query: `select a.* from users u join staff_wallet_acts a on a.user_id = u.id
           where a.id = $1 and a.state = 'waiting' for update of u, a`,
} as const;

/**
 * A second staff member makes or refuses the action, or its requester withdraws it. Throws the errors of `decide` and actOnWallet;
 * the action then keeps waiting.
 */
export async function decideWalletAction(
  context: AppContext,
  staff: StaffViewer,
  id: number,
  state: 'done' | 'refused',
): Promise<StaffRefundAnswer> {
  const action = await context.db.withTransaction(async (sql) => {
    const waiting = await decide<WalletAction & { asked_by: number }>(sql, waitingAction, id, staff, state);
    await enter(sql, waiting, state === 'done' ? 'wallet.agree' : 'wallet.refuse');
    if (state === 'done') await make(context, sql, waiting);
    return waiting;
  });
  return answerOf(context, action, state);
}
