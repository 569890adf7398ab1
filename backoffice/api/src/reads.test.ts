import { onEveryDatabase, type User } from '@shop/server/test/support/test-app';
import { couponEditable } from './catalogue/coupons.service';
import { goodsEditable } from './catalogue/goods.service';
import { levelEditable } from './catalogue/levels.service';
import { articleEditable } from './shop/articles.service';
import { bannerEditable, moduleEditable } from './shop/home.service';
import { withStaff } from './testing/staff';
import { enquiryBody } from './testing/values';

/** GET calls of /staff whose answers identify no shopper: they contain order numbers, masked fields and counts only. */
const impersonalReads = [
  'batches',
  'categories',
  'chats',
  'codes',
  'codes/shared',
  'config',
  'orders/choices',
  'orders/sums',
  'reports',
  'people',
  'prices',
  'prices/edits',
  'queue',
  'refunds',
  'session',
  'stock',
  'stock/low',
  'suppliers',
  'suppliers/values',
  'wallet',
  ...['articles', 'banners', 'coupons', 'goods', 'hold-settings', 'levels', 'modules'].flatMap((path) => [
    path,
    `${path}/:key`,
    `${path}/:key/history`,
  ]),
];

onEveryDatabase('reads of personal data at /staff', (testApp) => {
  const ann = withStaff(testApp, 'manager');
  let user: User;
  let order: string;
  let enquiry: number;
  beforeAll(async () => {
    user = await testApp().user(5000);
    order = (await user.order()).data.order_no;
    await testApp().db.run("update users set email = 'mei@mail.example' where id = $1", [user.id]);
    await testApp().post('business/add', enquiryBody);
    enquiry = await testApp().db.value('select max(id) from business_enquiries');
  });

  /** Each row has the call, its address, the action of the audit entry, and the user and subject that the entry names. */
  const auditedReads = (): Array<[call: string, url: string, action: string, user?: number, subject?: string]> => [
    ['audit', 'audit', 'audit.view'],
    ['closures', 'closures', 'closure.list'],
    ['enquiries', 'enquiries', 'enquiry.list'],
    ['enquiries/:id', `enquiries/${enquiry}`, 'enquiry.view', undefined, String(enquiry)],
    ['find', `find?q=${user.phone}`, 'person.find', user.id],
    ['find', 'find?q=mei@mail.example', 'person.find', user.id],
    ['find', `find?q=${order}`, 'person.find', user.id, order],
    ['find', 'find?q=13912345678', 'person.find'],
    ['orders', 'orders', 'order.list'],
    ['orders/export', 'orders/export?format=csv', 'order.export'],
    ['order/:order_no', `order/${order}`, 'order.view', user.id, order],
    ['shopper/:id', `shopper/${user.id}`, 'person.view', user.id],
  ];

  it('every read of /staff is classified: a new call must say whether it reads personal data', () => {
    const gets = testApp().routes.filter(({ method, url }) => method === 'GET' && url.startsWith('/staff/api/'));
    const classified = ['*', ...impersonalReads, ...auditedReads().map(([call]) => call)];
    expect(gets.filter(({ url }) => !classified.includes(url.slice('/staff/api/'.length)))).toEqual([]);
  });

  it('a read of personal data leaves an audit entry with the reader and the user', async () => {
    const { db } = testApp();
    for (const [, url, action, userId = null, subject = ''] of auditedReads()) {
      const before = await db.value<number>('select coalesce(max(id), 0) from audit_log');
      expect([url, (await ann.get(url)).status]).toEqual([url, 200]);
      const entries = await db.rows(
        'select action, actor, user_id, subject, detail from audit_log where id > $1 order by id',
        [before],
      );
      const entry = { action, actor: ann.actor, user_id: userId, subject };
      expect([url, entries]).toEqual([url, [expect.objectContaining(entry)]]);
      expect(JSON.stringify(entries)).not.toMatch(/1391234|mei@|fang@|0000-1111/);
      expect(JSON.stringify(entries)).not.toContain(user.phone);
    }
  });

  it.each([goodsEditable, couponEditable, levelEditable, articleEditable, bannerEditable, moduleEditable])(
    'a read of $kind for the editor works in a read-only transaction, so it takes no lock',
    async ({ read }) => {
      const value = await testApp().db.withTransaction(async (sql) => {
        await sql.run('set transaction read only');
        return read(sql, 'none');
      });
      expect(value).toBeUndefined();
    },
  );
});
