import { ErrorCode, OrderStatus } from '@shop/shared/domain';
import { sharedTextOf } from '../catalogue/shared-codes';
import type { AppContext } from '../context';
import { addEntry, shopper } from '../platform/audit/audit';
import { CardState } from '../platform/db/named-numbers';
import type { Sql } from '../platform/db/sql';
import { ShopError } from '../platform/http/errors';
import { linesOf, suffixOf } from '../platform/http/localised-text';
import type { Viewer } from '../platform/http/request';
import type { Locale } from '../platform/http/schemas';
import type { OrderRow } from './order-row';
import type { OrderCards } from './orders.schemas';

interface CardRow {
  id: number;
  key_id: string;
  card_no: Buffer;
  card_pwd: Buffer;
  expire_at: Date | null;
}

/** Decrypts the codes of a delivered order and records the access in the audit log. The caller has authorised the viewer. */
export async function revealCards(
  { db, keyring }: AppContext,
  viewer: Viewer,
  order: OrderRow,
  address: string,
): Promise<OrderCards['cards']> {
  if (!order.disputed && order.status !== OrderStatus.Finished) throw new ShopError(ErrorCode.WrongOrderState);
  return db.withTransaction(async (sql) => {
    // The row is locked, so that no dispute begins between this check and the codes.
    if (await sql.value('select disputed from orders where id = $1 for share', [order.id]))
      throw new ShopError(ErrorCode.OrderDisputed);
    const rows = await sql.rows<CardRow>(
      `select id, key_id, card_no, card_pwd, expire_at from card_codes where order_id = $1 and state = ${CardState.Sold} order by id`,
      [order.id],
    );
    const shared = rows.length === 0 ? await sharedTextOf(sql, keyring, order.id) : undefined;
    if (rows.length === 0 && !shared) throw new ShopError(ErrorCode.WrongOrderState);
    await addEntry(sql, {
      ...shopper(address, viewer.tokenHash),
      action: 'cards.reveal',
      userId: viewer.id,
      subject: order.order_no,
      detail: { cards: shared ? 1 : rows.length },
    });
    if (shared) return [{ id: shared.id, card_no: shared.text, card_pwd: '', expire_at: null, is_text: true }];
    return rows.map((row) => ({
      id: row.id,
      card_no: keyring.decrypt(row.key_id, row.card_no),
      card_pwd: keyring.decrypt(row.key_id, row.card_pwd),
      expire_at: row.expire_at?.toISOString() ?? null,
    }));
  });
}

export async function redeemSteps(sql: Sql, goodsId: number, locale: Locale): Promise<string[]> {
  return linesOf(await sql.value<string>(`select redeem_${suffixOf(locale)} from goods where id = $1`, [goodsId]));
}
