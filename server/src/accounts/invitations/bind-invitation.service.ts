import { addEntry, shopper } from '../../platform/audit/audit';
import type { Sql } from '../../platform/db/sql';
import { networkOf } from '../../platform/http/networks';
import { limitNetwork } from '../../platform/http/rate-limit';

/** Why an invitation does not count by itself; own-device refuses it, the others hold it for staff. */
export type HoldReason = 'own-device' | 'device' | 'network' | 'day' | 'email' | 'payment';

interface Arrival {
  inviteeId: number;
  inviterId: number;
  address: string;
  /** SHA-256 of the browser's device cookie; null for a client without cookies. */
  device: Buffer | null;
}

/** Codes that one network tries in an hour, by links and while registering. */
const TRIED_PER_HOUR = 60;

/** Counts a try of an invite code, so that codes are not found by trying. Throws TooManyRequests. */
export const limitInviteCodes = (sql: Sql, address: string): Promise<void> =>
  limitNetwork(sql, { name: 'invitation', address, most: TRIED_PER_HOUR, seconds: 3600 });

export const inviterOf = (sql: Sql, inviteCode: string) =>
  sql.row<{ id: number }>('select id from users where invite_code = $1', [inviteCode.trim().toUpperCase()]);

/**
 * Binds somebody who has just registered to whose code they came by, in the transaction that makes the account; does nothing while
 * invitations do not count. The inviter's row is locked, so that the people of a day are counted one by one.
 */
export async function bindInvitation(sql: Sql, { inviteeId, inviterId, address, device }: Arrival): Promise<void> {
  const inviter = await sql.row<{ people_per_day: number }>(
    `select s.people_per_day from users u cross join invite_settings s
      where u.id = $1 and u.id <> $2 and s.enabled and u.is_usable = 1 and u.erased_at is null and u.close_at is null
        for no key update of u`,
    [inviterId, inviteeId],
  );
  if (!inviter) return;
  // Family: the inviter, whoever invited them, and the others whom the inviter has invited. Rings and second accounts are among them.
  const known = await sql.one<{
    own_device: boolean;
    device: boolean;
    network: boolean;
    today: number;
    by_email: boolean;
  }>(
    `with family as (
       select $2::bigint as id
       union select inviter_id from invitations where invitee_id = $2
       union select invitee_id from invitations where inviter_id = $2)
     select exists (select 1 from known_devices where device = $3 and user_id = $2) as own_device,
            exists (select 1 from known_devices where device = $3 and user_id <> $1) as device,
            exists (select 1 from known_addresses a join family f on f.id = a.user_id where a.address = $4) as network,
            (select count(*) from invitations
              where inviter_id = $2 and created_at > clock_timestamp() - interval '1 day') as today,
            exists (select 1 from users where id = $1 and sign_in_email is not null) as by_email`,
    [inviteeId, inviterId, device, networkOf(address)],
  );
  const reasons: HoldReason[] = known.own_device
    ? ['own-device']
    : [
        ...(known.device ? (['device'] as const) : []),
        ...(known.network ? (['network'] as const) : []),
        ...(known.today >= inviter.people_per_day ? (['day'] as const) : []),
        // Costs nothing, so that one person may have any number.
        ...(known.by_email ? (['email'] as const) : []),
      ];
  const state = known.own_device ? 'refused' : reasons.length > 0 ? 'held' : 'counts';
  await sql.run(
    `insert into invitations (invitee_id, inviter_id, state, reasons, percent, orders, ends_at)
     select $1, $2, $3, $4, percent, orders, clock_timestamp() + make_interval(days => within_days) from invite_settings
     on conflict do nothing`,
    [inviteeId, inviterId, state, reasons],
  );
  await addEntry(sql, {
    ...shopper(address),
    action: 'invitation.bind',
    userId: inviteeId,
    detail: { inviter: inviterId, state, reasons },
  });
}
