import { ErrorCode } from '@shop/shared/domain';
import type { AppContext } from '../../context';
import { giveCoupon, invitationCoupon } from '../../coupons/coupons.service';
import { addEntry } from '../../platform/audit/audit';
import { tryAll } from '../../platform/db/batches';
import type { Sql } from '../../platform/db/sql';
import { shopErrorOf } from '../../platform/http/errors';

const BATCH = 200;

interface DueInvitation {
  invitee_id: number;
  inviter_id: number;
  coupon_id: number;
}

const hasFinishedOrder = (hidden: 'is null' | 'is not null') =>
  `exists (select 1 from orders o where o.user_id = i.invitee_id and o.hidden_at ${hidden}
            and o.finished_at is not null and o.total_amount > o.refunded_amount)`;

/**
 * Gives the inviter a coupon for each invited shopper with a finished order. Any number of processes may run it. While
 * invitations are closed it does nothing, and due coupons wait.
 */
export async function giveInvitationCoupons({ db, config }: Pick<AppContext, 'db' | 'config'>): Promise<number> {
  const due = await db.rows<DueInvitation>(
    `select i.invitee_id, i.inviter_id, c.id as coupon_id
       from invitations i join users u on u.id = i.inviter_id join coupons c on ${invitationCoupon}
      where i.state = 'waiting' and u.is_usable = 1 and u.erased_at is null
        and (${hasFinishedOrder('is null')} or ${hasFinishedOrder('is not null')})
      order by i.invitee_id limit ${BATCH}`,
  );
  const rewarded = (invitation: DueInvitation) => () =>
    db
      .withTransaction((sql) => reward(sql, invitation, config.timeZone))
      .then(Number)
      .catch(waitForCoupons);
  return tryAll(due.map(rewarded));
}

/** The last coupon was given meanwhile: the invitation waits until staff add more. */
function waitForCoupons(error: unknown): number {
  if (shopErrorOf(error)?.code === ErrorCode.NoCouponsLeft) return 0;
  throw error;
}

/** Returns whether a coupon was given. Another process may have settled the invitation meanwhile. */
async function reward(sql: Sql, { invitee_id, inviter_id, coupon_id }: DueInvitation, zone: string): Promise<boolean> {
  const isWaiting = await sql.row("select 1 from invitations where invitee_id = $1 and state = 'waiting' for update", [
    invitee_id,
  ]);
  if (!isWaiting) return false;
  // Since the binding, both accounts may have paid from one payment account, or entered a code on one device.
  const shared = await sql.one<{ payer: boolean; device: boolean }>(
    `select exists (select 1 from payers a join payers b on b.payer_hash = a.payer_hash
                     where a.user_id = $1 and b.user_id = $2) as payer,
            exists (select 1 from known_devices a join known_devices b on b.device = a.device
                     where a.user_id = $1 and b.user_id = $2) as device`,
    [invitee_id, inviter_id],
  );
  const isRefused = shared.payer || shared.device;
  await sql.run('update invitations set state = $2 where invitee_id = $1', [
    invitee_id,
    isRefused ? 'refused' : 'rewarded',
  ]);
  if (isRefused) await addEntry(sql, { actor: 'job', action: 'invitation.refuse', userId: invitee_id, detail: shared });
  else await giveCoupon(sql, inviter_id, coupon_id, zone, invitee_id);
  return !isRefused;
}
