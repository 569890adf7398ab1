import { bindInvitation } from '../src/accounts/invitations/invitations.service';
import { addCards } from '../src/catalogue/goods.store';
import type { AppContext } from '../src/context';
import type { Sql } from '../src/platform/db/sql';
import { fillShop, type ShopGoods, type Shopper } from '../test/support/fill-shop';
import { addSharedValue } from '../test/support/shared-value';
import { newCards } from '../test/support/test-goods';

export interface SoakGoods extends ShopGoods {
  text: { spec: number; text: string; pieces: number };
}

export async function openShop(
  shop: AppContext,
  { userCount, cards }: { userCount: number; cards: number },
): Promise<{ goods: SoakGoods; users: Shopper[]; coupons: number[] }> {
  const { db, keyring } = shop;
  const { goods, users } = await fillShop(shop, { people: userCount });
  await addCards(db, keyring, goods.card.spec, newCards(cards));
  const [text, pieces] = ['first the region,\nthen the code', cards];
  const spec = await addSharedValue(shop, goods.card.id, 'text', text, { stock: pieces });
  await db.script(`
    insert into price_steps values (${goods.card.spec}, 'CNY', 2, 950);
    insert into levels (key, name_zh, name_en, rank, percent, period_days)
      values ('silver', '白银', 'Silver', 1, 98, 30), ('gold', '黄金', 'Gold', 2, 95, 30);
    insert into level_thresholds select id, 'CNY', case key when 'silver' then 2000 else 20000 end from levels;
    insert into hold_settings values (true, true, 1500, null, null, null, '{}', false, 30, 'release')`);
  const coupons = await saveCoupons(db);
  await db.run('update coupons set for_invitation = true where id = $1', [coupons[0]]);
  for (const [index, { id }] of users.entries()) {
    const inviter = users[index - 1];
    if (inviter)
      await db.withTransaction((sql) =>
        bindInvitation(sql, { inviteeId: id, inviterId: inviter.id, address: `10.5.${index}.1`, device: null }),
      );
  }
  return { goods: { ...goods, text: { spec, text, pieces } }, users, coupons };
}

async function saveCoupons(db: Sql): Promise<number[]> {
  const coupons = await db.rows<{ id: number }>(
    `insert into coupons (key, name_zh, name_en, coupon_type, expire_type, expire_day, apply_range)
     select 'soak-' || n, '券', 'Coupon', 10, 10, 7, 10 from generate_series(1, 8) n returning id`,
  );
  await db.run("insert into coupon_amounts select id, 'CNY', 150, 500 from coupons");
  return coupons.map(({ id }) => id);
}
