import { RechargeType } from '@shop/shared/domain';
import type { AppContext } from '../context';
import { amountKinds } from '../orders/order-texts';
import type { Sql } from '../platform/db/sql';
import { channelsOf } from '../providers/providers';
import { kindsOfEvents, wants } from './notice-kinds';
import { collectForStaff, notifiesStaff } from './staff-notices.service';

/** No transaction stays open this long: a later run finds an event that commits late. */
const REREAD_PERIOD = '5 minutes';
/** Older events are not reported, such as those from before mail was switched on. */
const MAX_AGE = '1 day';

/**
 * Creates notices for order events since the last run. It rereads the last minutes and notifies of each event once, so a server
 * may stop at any point. Orders themselves write no additional rows.
 */
export async function collectOrderNotices(context: AppContext): Promise<number> {
  const offered = channelsOf(context.providers);
  if (offered.length === 0 && !notifiesStaff(context)) return 0;
  return context.db.withTransaction(async (sql) => {
    const progress = await sql.row<{ last_event: number }>(
      'select last_event from notice_progress for update skip locked',
    );
    if (!progress) {
      // This is the first run of all, or another server is running.
      await sql.run(
        'insert into notice_progress (last_event) select coalesce(max(id), 0) from order_events on conflict do nothing',
      );
      return 0;
    }
    const created =
      (await collectForShoppers(sql, progress.last_event, offered)) +
      (await collectForStaff(sql, context, progress.last_event));
    await sql.run(
      `update notice_progress set last_event = greatest(last_event, coalesce((
         select max(id) from order_events where id > last_event and at < clock_timestamp() - interval '${REREAD_PERIOD}'), 0))`,
    );
    return created;
  });
}

/** A code that was paid from the wallet is already on the screen, so it needs no notice; a code that was on hold for review does. */
const collectForShoppers = (sql: Sql, after: number, offered: string[]): Promise<number> =>
  sql.run(
    `insert into notices (user_id, channel, kind, about, data)
     select o.user_id, c.channel, k.kind, e.id::text, jsonb_build_object('order_no', o.order_no, 'name', o.snapshot -> 'name',
              'event', e.kind, 'note', case when e.kind = any($4) then e.note else '' end, 'currency', o.currency)
       from order_events e
       join jsonb_to_recordset($1::jsonb) as k(kind text, event text) on k.event = e.kind
       join orders o on o.id = e.order_id
       join users u on u.id = o.user_id
       join notice_settings s on s.user_id = u.id
       cross join unnest($2::text[]) as c(channel)
      where e.id > $3 and e.at > greatest(s.since, clock_timestamp() - interval '${MAX_AGE}')
        and not (e.kind = 'delivered' and o.recharge_type = ${RechargeType.CardCode} and o.pay_method = 'balance'
          and not exists (select 1 from order_holds h where h.order_id = o.id))
        and ${wants('k.kind')}
      order by e.id
     on conflict do nothing`,
    [JSON.stringify(kindsOfEvents), offered, after, amountKinds],
  );
