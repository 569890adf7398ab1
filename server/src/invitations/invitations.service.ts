import { ErrorCode } from '@shop/shared/domain';
import { inviterOf } from '../accounts/invitations/bind-invitation.service';
import { type InviteSettings, inviteSettings } from '../accounts/invitations/invite-settings.service';
import type { Sql } from '../platform/db/sql';
import { ShopError } from '../platform/http/errors';
import { toWire } from '../platform/http/money';
import { type Paging, pageOf } from '../platform/http/paging';
import type { Viewer } from '../platform/http/request';
import type { Currency, Page } from '../platform/http/schemas';
import type { InvitationTerms, Invite, InvitedPerson } from './invitations.schemas';

/** Throws NotFound while invitations do not count. */
async function openSettings(sql: Sql): Promise<InviteSettings> {
  const settings = await inviteSettings(sql);
  if (!settings?.enabled) throw new ShopError(ErrorCode.NotFound);
  return settings;
}

const termsOf = ({ percent, orders, within_days }: InviteSettings): InvitationTerms => ({
  percent,
  orders,
  within_days,
});

/** What the page of a link says. Throws NotFound and UnknownInviteCode. */
export async function invitationTerms(sql: Sql, inviteCode: string): Promise<InvitationTerms> {
  const settings = await openSettings(sql);
  if (!(await inviterOf(sql, inviteCode))) throw new ShopError(ErrorCode.UnknownInviteCode);
  return termsOf(settings);
}

/** SQL: what a reward `r` of an order `o` is as the order stands. */
export const entitledNow = 'least(r.amount, (o.total_amount - o.refunded_amount) * r.percent / 100)';

/** Throws NotFound. */
export async function ownInvite(sql: Sql, viewer: Viewer, currency: Currency): Promise<Invite> {
  const settings = await openSettings(sql);
  const sums = await sql.one<{
    invite_code: string;
    people: number;
    waiting: number;
    paid: number;
    taken_back: number;
  }>(
    `select u.invite_code, (select count(*) from invitations where inviter_id = u.id) as people, s.*
       from users u cross join lateral (
         select coalesce(sum(${entitledNow}) filter (where r.state = 'waiting'), 0)::bigint as waiting,
                coalesce(sum(r.paid - r.taken_back), 0)::bigint as paid, coalesce(sum(r.taken_back), 0)::bigint as taken_back
           from invite_rewards r join orders o on o.id = r.order_id where r.inviter_id = u.id and r.currency = $2) s
      where u.id = $1`,
    [viewer.id, currency],
  );
  return {
    ...termsOf(settings),
    hold_days: settings.hold_days,
    per_day: toWire(currency === 'CNY' ? settings.cny_per_day : settings.usd_per_day),
    invite_code: sums.invite_code,
    people: sums.people,
    currency,
    waiting: toWire(sums.waiting),
    paid: toWire(sums.paid),
    taken_back: toWire(sums.taken_back),
  };
}

interface PersonRow extends Omit<InvitedPerson, 'name' | 'registered_at' | 'ends_at' | 'rewards'> {
  nickname: string;
  phone: string | null;
  is_gone: boolean;
  created_at: Date;
  ends_at: Date;
  rewards: Array<{ currency: Currency; waiting: number; paid: number }>;
}

/** The newest first. Throws NotFound. */
export async function invitedPeople(sql: Sql, viewer: Viewer, paging: Paging): Promise<Page<InvitedPerson>> {
  await openSettings(sql);
  const rows = await sql.rows<PersonRow>(
    `select u.nickname, u.phone, u.erased_at is not null as is_gone, i.state, i.created_at, i.ends_at, i.orders,
            (select count(*) from invite_rewards where invitee_id = i.invitee_id) as counted,
            coalesce((select json_agg(s order by s.currency) from (
              select r.currency, coalesce(sum(${entitledNow}) filter (where r.state = 'waiting'), 0)::bigint as waiting,
                     sum(r.paid - r.taken_back)::bigint as paid
                from invite_rewards r join orders o on o.id = r.order_id where r.invitee_id = i.invitee_id group by r.currency) s), '[]') as rewards
       from invitations i join users u on u.id = i.invitee_id where i.inviter_id = $1
      order by i.created_at desc, i.invitee_id desc limit $2 offset $3`,
    [viewer.id, paging.limit, paging.offset],
  );
  const { total } = await sql.one<{ total: number }>(
    'select count(*) as total from invitations where inviter_id = $1',
    [viewer.id],
  );
  const people = rows.map(({ nickname, phone, is_gone, created_at, ends_at, rewards, ...row }) => ({
    ...row,
    name: is_gone ? '' : maskedName(nickname, phone),
    registered_at: created_at.toISOString(),
    ends_at: ends_at.toISOString(),
    rewards: rewards.map(({ currency, waiting, paid }) => ({
      currency,
      waiting: toWire(waiting),
      paid: toWire(paid),
    })),
  }));
  return pageOf(people, total, paging);
}

/** "玩***01": enough to know a friend by, too little to find a stranger. */
const maskedName = (nickname: string, phone: string | null): string =>
  `${[...nickname][0] ?? ''}***${phone?.slice(-2) ?? ''}`;
