import { ErrorCode } from '@shop/shared/domain';
import { plainText } from '@shop/shared/domain/plain-text';
import type { AppContext } from '../../context';
import { giveCoupon, invitationCoupon } from '../../coupons/coupons.service';
import { addEntry, shopper } from '../../platform/audit/audit';
import { tryAll } from '../../platform/db/batches';
import type { Sql } from '../../platform/db/sql';
import { ShopError, shopErrorOf } from '../../platform/http/errors';
import { suffixOf } from '../../platform/http/localised-text';
import { networkOf } from '../../platform/http/networks';
import { atMicros, cursorPageOf, type Paging } from '../../platform/http/paging';
import { limitNetwork } from '../../platform/http/rate-limit';
import type { Viewer } from '../../platform/http/request';
import type { Locale, Page } from '../../platform/http/schemas';
import type { Invite, InvitedUser } from './invitations.schemas';

const TRIED_PER_HOUR = 60;
const BATCH = 200;

export const invitationsAreOpen = `exists (select 1 from coupons c where ${invitationCoupon})`;

async function requireOpen(sql: Sql): Promise<void> {
  if (!(await sql.row(`select 1 where ${invitationsAreOpen}`))) throw new ShopError(ErrorCode.NotFound);
}

/** Counts a try of an invite code, so that no one can find codes by trying. Throws TooManyRequests. */
export const limitInviteCodes = (sql: Sql, address: string): Promise<void> =>
  limitNetwork(sql, { name: 'invitation', address, most: TRIED_PER_HOUR });

/** Links and people write a code with blanks, hyphens or full-width characters. */
export const plainInviteCode = (text: string) => plainText(text).replace(/[ -]/g, '').toUpperCase();

export const inviterOf = (sql: Sql, inviteCode: string) =>
  sql.row<{ id: number }>('select id from users where invite_code = $1', [plainInviteCode(inviteCode)]);

/** Throws TooManyRequests, NotFound and UnknownInviteCode. */
export async function checkInviteCode(db: Sql, reads: Sql, inviteCode: string, address: string): Promise<void> {
  await limitInviteCodes(db, address);
  await requireOpen(reads);
  if (!(await inviterOf(reads, inviteCode))) throw new ShopError(ErrorCode.UnknownInviteCode);
}

interface Registration {
  inviteeId: number;
  inviterId: number;
  address: string;
  /** SHA-256 of the browser's device cookie; null for a client without cookies. */
  device: Buffer | null;
}

/**
 * Binds a shopper who has just registered to the inviter, in the transaction that creates the account; does nothing while
 * invitations are closed. An account that looks like the inviter's is refused: registered on a device of another account, or from
 * an IP prefix of the inviter, of the inviter's inviter, or of the inviter's other invitees.
 */
export async function bindInvitation(sql: Sql, { inviteeId, inviterId, address, device }: Registration): Promise<void> {
  const inviter = await sql.row(
    `select 1 from users
      where id = $1 and id <> $2 and is_usable = 1 and erased_at is null and close_at is null and ${invitationsAreOpen}`,
    [inviterId, inviteeId],
  );
  if (!inviter) return;
  const shared = await sql.one<{ device: boolean; network: boolean }>(
    `with family as (
       select $2::bigint as id
       union select inviter_id from invitations where invitee_id = $2
       union select invitee_id from invitations where inviter_id = $2)
     select exists (select 1 from known_devices where device = $3 and user_id <> $1) as device,
            exists (select 1 from known_addresses a join family f on f.id = a.user_id where a.address = $4) as network`,
    [inviteeId, inviterId, device, networkOf(address)],
  );
  const state = shared.device || shared.network ? 'refused' : 'waiting';
  await sql.run('insert into invitations (invitee_id, inviter_id, state) values ($1, $2, $3) on conflict do nothing', [
    inviteeId,
    inviterId,
    state,
  ]);
  await addEntry(sql, {
    ...shopper(address),
    action: 'invitation.bind',
    userId: inviteeId,
    detail: { inviter: inviterId, state, ...shared },
  });
}

/** Throws NotFound while invitations are closed. */
export async function inviteOf(sql: Sql, viewer: Viewer, locale: Locale): Promise<Invite> {
  const invite = await sql.row<Invite>(
    `select u.invite_code, c.name_${suffixOf(locale)} as coupon,
            (select count(*) from invitations where inviter_id = u.id) as people,
            (select count(*) from invitations where inviter_id = u.id and state = 'rewarded') as coupons
       from users u join coupons c on ${invitationCoupon} where u.id = $1`,
    [viewer.id],
  );
  if (!invite) throw new ShopError(ErrorCode.NotFound);
  return invite;
}

/** Newest first. Throws NotFound while invitations are closed. */
export async function invitedPeople(sql: Sql, viewer: Viewer, paging: Paging): Promise<Page<InvitedUser>> {
  await requireOpen(sql);
  // Ids of users stay inside: the second part counts the rows of this time that were read. No row ever goes.
  const [micros = null, skipped = null] = paging.cursor?.split('.') ?? [];
  const rows = await sql.rows<{
    nickname: string;
    phone: string | null;
    is_erased: boolean;
    state: InvitedUser['state'];
    created_at: Date;
    micros: string;
  }>(
    `select u.nickname, u.phone, u.erased_at is not null as is_erased, i.state, i.created_at,
            (extract(epoch from i.created_at) * 1000000)::bigint::text as micros
       from invitations i join users u on u.id = i.invitee_id
      where i.inviter_id = $1 and ($4::bigint is null or i.created_at <= ${atMicros('$4')})
      order by i.created_at desc, i.invitee_id desc limit $2 offset $3`,
    [viewer.id, paging.limit + 1, skipped ?? paging.offset, micros],
  );
  const total = await sql.value<number>('select count(*) from invitations where inviter_id = $1', [viewer.id]);
  const itemOf = ({ nickname, phone, is_erased, state, created_at }: (typeof rows)[number]) => ({
    name: is_erased ? '' : `${[...nickname][0] ?? ''}***${phone?.slice(-2) ?? ''}`,
    state,
    registered_at: created_at.toISOString(),
  });
  const seen = (last: string) =>
    rows.slice(0, paging.limit).filter((row) => row.micros === last).length + (last === micros ? Number(skipped) : 0);
  return cursorPageOf(rows, total, paging, itemOf, (row) => `${row.micros}.${seen(row.micros)}`);
}

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
    db.withTransaction((sql) => reward(sql, invitation, config.timeZone)).catch(waitForCoupons);
  return tryAll(due.map(rewarded));
}

/** The last coupon was given meanwhile: the invitation waits until staff add more. */
function waitForCoupons(error: unknown): number {
  if (shopErrorOf(error)?.code === ErrorCode.NoCouponsLeft) return 0;
  throw error;
}

/** Returns the number of given coupons, 0 or 1. Another process may have settled the invitation meanwhile. */
async function reward(sql: Sql, { invitee_id, inviter_id, coupon_id }: DueInvitation, zone: string): Promise<number> {
  // Since the binding, both accounts may have paid from one payment account, or entered a code on one device.
  const shared = await sql.one<{ payer: boolean; device: boolean }>(
    `select exists (select 1 from payers a join payers b on b.payer_hash = a.payer_hash
                     where a.user_id = $1 and b.user_id = $2) as payer,
            exists (select 1 from known_devices a join known_devices b on b.device = a.device
                     where a.user_id = $1 and b.user_id = $2) as device`,
    [invitee_id, inviter_id],
  );
  const isRefused = shared.payer || shared.device;
  const settled = await sql.run("update invitations set state = $2 where invitee_id = $1 and state = 'waiting'", [
    invitee_id,
    isRefused ? 'refused' : 'rewarded',
  ]);
  if (settled === 0) return 0;
  if (isRefused) await addEntry(sql, { actor: 'job', action: 'invitation.refuse', userId: invitee_id, detail: shared });
  else await giveCoupon(sql, inviter_id, coupon_id, zone, invitee_id);
  return isRefused ? 0 : 1;
}
