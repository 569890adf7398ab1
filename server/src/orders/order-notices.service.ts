import type { Sql } from '../platform/db/sql';
import { textOf } from '../platform/http/localised-text';
import type { Viewer } from '../platform/http/request';
import type { Currency, Locale, Sent } from '../platform/http/schemas';
import type { Snapshot } from './order-row';
import { eventText } from './order-texts';
import type { OrderNotice, OrderNotices } from './orders.schemas';

const MAX_NOTICES = 50;

interface NoticeRow extends Omit<OrderNotice, 'text' | 'name' | 'image' | 'at'> {
  note: string;
  at: Date;
  snapshot: Snapshot;
  currency: Currency;
  unread: number;
}

export async function orderNotices(sql: Sql, viewer: Viewer, locale: Locale): Promise<Sent<OrderNotices>> {
  const rows = await sql.rows<NoticeRow>(
    `select n.*, count(*) filter (where not n.read) over () as unread
       from users u, order_notices(u.id, u.notices_read) n where u.id = $1 order by n.id desc limit ${MAX_NOTICES}`,
    [viewer.id],
  );
  return {
    list: rows.map(({ note, snapshot, currency, unread: _unread, ...row }) => ({
      ...row,
      text: eventText(row.kind, note, currency, locale),
      name: textOf(snapshot.name, locale),
      image: snapshot.image,
    })),
    unread: rows[0]?.unread ?? 0,
  };
}

/** `lastId` is capped at the latest event, so that no later notice counts as read. Returns the number of unread notices. */
export async function readNotices(sql: Sql, viewer: Viewer, lastId: number): Promise<number> {
  await sql.run(
    `update users set notices_read = least($2, (select max(id) from order_events))
      where id = $1 and notices_read < least($2, (select max(id) from order_events))`,
    [viewer.id, lastId],
  );
  return sql.value(
    'select count(*) from users u, order_notices(u.id, u.notices_read) n where u.id = $1 and not n.read',
    [viewer.id],
  );
}
