import { inviteSettings } from '@shop/server/accounts/invitations/invite-settings.service';
import { entitledNow } from '@shop/server/invitations/invitations.service';
import { addEntry, staffActor } from '@shop/server/platform/audit/audit';
import type { Database } from '@shop/server/platform/db/database';
import type { Sql } from '@shop/server/platform/db/sql';
import { ShopError } from '@shop/server/platform/http/errors';
import { maskEmail, maskPhone } from '@shop/server/platform/http/mask-phone';
import { fromWire, toWire } from '@shop/server/platform/http/money';
import { pageOf, pagingOf } from '@shop/server/platform/http/paging';
import type { Currency, Page } from '@shop/server/platform/http/schemas';
import { ErrorCode } from '@shop/shared/domain';
import type { Editable } from '../edits/edits.service';
import type { StaffViewer } from '../staff-sessions.service';
import type {
  InviteDecisionBody,
  InvitesQuery,
  StaffInvite,
  StaffInviteFigures,
  StaffInviteSettings,
  StaffInviteSums,
} from './invites.schemas';

/** What a shop begins with that has set nothing. */
const unset: StaffInviteSettings = {
  enabled: false,
  percent: 5,
  orders: 3,
  within_days: 90,
  hold_days: 15,
  people_per_day: 10,
  per_day: { CNY: '100.00', USD: '15.00' },
};

async function readSettings(sql: Sql): Promise<StaffInviteSettings> {
  const settings = await inviteSettings(sql);
  if (!settings) return unset;
  const { cny_per_day, usd_per_day, ...rest } = settings;
  return { ...rest, per_day: { CNY: toWire(cny_per_day), USD: toWire(usd_per_day) } };
}

/** The one key is "shop". */
export const inviteSettingsEditable: Editable<StaffInviteSettings> = {
  kind: 'invite',
  read: async (sql, key) => (key === 'shop' ? readSettings(sql) : undefined),
  write: async (sql, key, value) => {
    if (key !== 'shop') throw new ShopError(ErrorCode.NotFound);
    const { enabled, percent, orders, within_days, hold_days, people_per_day, per_day } = value;
    await sql.run(
      `insert into invite_settings (enabled, percent, orders, within_days, hold_days, people_per_day, cny_per_day, usd_per_day)
       values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict (id) do update set enabled = excluded.enabled, percent = excluded.percent, orders = excluded.orders,
         within_days = excluded.within_days, hold_days = excluded.hold_days, people_per_day = excluded.people_per_day,
         cny_per_day = excluded.cny_per_day, usd_per_day = excluded.usd_per_day`,
      [
        ...[enabled, percent, orders, within_days, hold_days, people_per_day],
        ...[fromWire(per_day.CNY), fromWire(per_day.USD)],
      ],
    );
  },
};

interface SumsRow {
  currency: Currency;
  waiting: number;
  paid: number;
  taken_back: number;
  owed: number;
}
/** SQL: sums of rewards `r` with their orders `o`, by currency. */
const sums = `r.currency, coalesce(sum(${entitledNow}) filter (where r.state = 'waiting'), 0)::bigint as waiting,
  sum(r.paid - r.taken_back)::bigint as paid, sum(r.taken_back)::bigint as taken_back,
  sum(greatest(r.paid - r.taken_back - ${entitledNow}, 0))::bigint as owed`;
const rewards = 'invite_rewards r join orders o on o.id = r.order_id';
const toSums = ({ currency, waiting, paid, taken_back, owed }: SumsRow): StaffInviteSums => ({
  currency,
  waiting: toWire(waiting),
  paid: toWire(paid),
  taken_back: toWire(taken_back),
  owed: toWire(owed),
});

interface InviteRow
  extends Omit<StaffInvite, 'invitee' | 'inviter' | 'registered_at' | 'ends_at' | 'decided_at' | 'sums'> {
  invitee_id: number;
  invitee_phone: string | null;
  invitee_email: string | null;
  inviter_id: number;
  inviter_phone: string | null;
  inviter_email: string | null;
  created_at: Date;
  ends_at: Date;
  decided_at: Date | null;
  sums: SumsRow[];
}

const personOf = (id: number, phone: string | null, email: string | null) => ({
  id,
  phone: maskPhone(phone ?? ''),
  sign_in_email: maskEmail(email ?? ''),
});

/** The newest first. The look is on record. */
export async function listInvites(sql: Sql, { state, page }: InvitesQuery): Promise<Page<StaffInvite>> {
  const paging = pagingOf({ page });
  const rows = await sql.rows<InviteRow>(
    `select i.invitee_id, a.phone as invitee_phone, a.sign_in_email as invitee_email, i.inviter_id, b.phone as inviter_phone,
            b.sign_in_email as inviter_email, i.state, i.reasons, i.created_at, i.ends_at,
            i.orders, i.percent, p.name as decided_by, i.decided_at,
            (select count(*) from invite_rewards where invitee_id = i.invitee_id) as counted,
            coalesce((select json_agg(s order by s.currency) from (
              select ${sums} from ${rewards} where r.invitee_id = i.invitee_id group by r.currency) s), '[]') as sums
       from invitations i join users a on a.id = i.invitee_id join users b on b.id = i.inviter_id
       left join staff_people p on p.id = i.decided_by
      where $1::text is null or i.state = $1 order by i.created_at desc, i.invitee_id desc limit $2 offset $3`,
    [state ?? null, paging.limit, paging.offset],
  );
  const { total } = await sql.one<{ total: number }>(
    'select count(*) as total from invitations where $1::text is null or state = $1',
    [state ?? null],
  );
  await addEntry(sql, { ...staffActor(), action: 'invitation.list' });
  const list = rows.map((row) => ({
    invitee: personOf(row.invitee_id, row.invitee_phone, row.invitee_email),
    inviter: personOf(row.inviter_id, row.inviter_phone, row.inviter_email),
    state: row.state,
    reasons: row.reasons,
    registered_at: row.created_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    counted: row.counted,
    orders: row.orders,
    percent: row.percent,
    sums: row.sums.map(toSums),
    decided_by: row.decided_by,
    decided_at: row.decided_at?.toISOString() ?? null,
  }));
  return pageOf(list, total, paging);
}

export async function inviteFigures(sql: Sql): Promise<StaffInviteFigures> {
  const states = await sql.rows<{ state: StaffInvite['state']; people: number }>(
    'select state, count(*) as people from invitations group by state',
  );
  const of = (wanted: StaffInvite['state']) => states.find(({ state }) => state === wanted)?.people ?? 0;
  const rows = await sql.rows<SumsRow>(`select ${sums} from ${rewards} group by r.currency order by r.currency`);
  return { counts: of('counts'), held: of('held'), refused: of('refused'), sums: rows.map(toSums) };
}

/**
 * Lets an invitation count from now on, whatever would hold it, or refuses it: what waits lapses, what was paid stays. Throws NotFound for one
 * that is decided so already. Locks the inviter, as the job does that pays.
 */
export const decideInvite = (db: Database, staff: StaffViewer, { id, counts }: InviteDecisionBody): Promise<void> =>
  db.withTransaction(async (sql) => {
    await sql.row(
      'select 1 from users where id = (select inviter_id from invitations where invitee_id = $1) for no key update',
      [id],
    );
    const changed = await sql.run(
      `update invitations set state = $2, decided_by = $3, decided_at = clock_timestamp() where invitee_id = $1 and state <> $2`,
      [id, counts ? 'counts' : 'refused', staff.id],
    );
    if (!changed) throw new ShopError(ErrorCode.NotFound);
    if (!counts)
      await sql.run(
        "update invite_rewards set state = 'lapsed', settle_at = 'infinity' where invitee_id = $1 and state = 'waiting'",
        [id],
      );
    await addEntry(sql, {
      ...staffActor(),
      action: counts ? 'invitation.release' : 'invitation.refuse',
      userId: id,
    });
  });
