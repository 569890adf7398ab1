import { bindInvitation } from '../src/accounts/invitations/invitations.service';
import { addCards } from '../src/catalogue/goods.store';
import type { AppContext } from '../src/context';
import { collectOrderNotices } from '../src/notices/collect-notices.service';
import type { Sql } from '../src/platform/db/sql';
import { fillShop, type ShopGoods, type Shopper } from '../test/support/fill-shop';
import { addSharedValue } from '../test/support/shared-value';
import { newCards } from '../test/support/test-goods';

const mailHabits = ['kept', 'kept', 'ended', 'chosen'] as const;
export interface SoakUser extends Shopper {
  email: string;
  mails: (typeof mailHabits)[number];
}
export interface SoakGoods extends ShopGoods {
  text: { spec: number; text: string; pieces: number };
}
export const LEVELS = ['silver', 'gold'];

export async function openShop(
  shop: AppContext,
  { userCount, cards }: { userCount: number; cards: number },
): Promise<{ goods: SoakGoods; users: SoakUser[]; coupons: number[] }> {
  const { db, keyring, config } = shop;
  const { goods, users } = await fillShop(shop, { people: userCount });
  await addCards(db, keyring, config.secret, goods.card.spec, newCards(cards));
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
  const reachable = users.map((user, index): SoakUser => {
    const mails = mailHabits[index % mailHabits.length] as SoakUser['mails'];
    return { ...user, mails, email: `p${user.id}@mail.example` };
  });
  for (const [index, { id, email }] of reachable.entries()) {
    await db.run('update users set email = $2 where id = $1', [id, email]);
    await db.run('insert into notice_settings (user_id, locale, confirmed_email) values ($1, $2, $3)', [
      id,
      index % 2 ? 'en' : 'zh-CN',
      email,
    ]);
    const inviter = reachable[index - 1];
    if (inviter)
      await db.withTransaction((sql) =>
        bindInvitation(sql, { inviteeId: id, inviterId: inviter.id, address: `10.5.${index}.1`, device: null }),
      );
  }
  // The first run sets the starting point: later changes of orders create notices.
  await collectOrderNotices(shop);
  return { goods: { ...goods, text: { spec, text, pieces } }, users: reachable, coupons };
}

async function saveCoupons(db: Sql): Promise<number[]> {
  const coupons = await db.rows<{ id: number }>(
    `insert into coupons (key, name_zh, name_en, coupon_type, expire_type, expire_day, apply_range)
     select 'soak-' || n, '券', 'Coupon', 10, 10, 7, 10 from generate_series(1, 8) n returning id`,
  );
  await db.run("insert into coupon_amounts select id, 'CNY', 150, 500 from coupons");
  return coupons.map(({ id }) => id);
}
