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
].map((path) => `/staff/api/${path}`);

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

  /** By call: its address, the action of the audit entry, and the user and subject that the entry names. */
  const auditedReads: Record<string, () => Array<[url: string, action: string, user: number | null, subject: string]>> =
    {
      '/staff/api/audit': () => [['audit', 'audit.view', null, '']],
      '/staff/api/closures': () => [['closures', 'closure.list', null, '']],
      '/staff/api/enquiries': () => [['enquiries', 'enquiry.list', null, '']],
      '/staff/api/enquiries/:id': () => [[`enquiries/${enquiry}`, 'enquiry.view', null, String(enquiry)]],
      '/staff/api/find': () => [
        [`find?q=${user.phone}`, 'person.find', user.id, ''],
        ['find?q=mei@mail.example', 'person.find', user.id, ''],
        [`find?q=${order}`, 'person.find', user.id, order],
        ['find?q=13912345678', 'person.find', null, ''],
      ],
      '/staff/api/orders': () => [['orders', 'order.list', null, '']],
      '/staff/api/orders/export': () => [['orders/export?format=csv', 'order.export', null, '']],
      '/staff/api/order/:order_no': () => [[`order/${order}`, 'order.view', user.id, order]],
      '/staff/api/shopper/:id': () => [[`shopper/${user.id}`, 'person.view', user.id, '']],
    };
  const entriesAfter = (id: number) =>
    testApp().db.rows<{ action: string; actor: string; user_id: number | null; subject: string; detail: object }>(
      'select action, actor, user_id, subject, detail from audit_log where id > $1 order by id',
      [id],
    );
  const newest = () => testApp().db.value<number>('select coalesce(max(id), 0) from audit_log');

  it('every read of /staff is classified: a new call must say whether it reads personal data', () => {
    const gets = testApp().routes.filter(({ method, url }) => method === 'GET' && url.startsWith('/staff/api/'));
    const classified = [...impersonalReads, ...Object.keys(auditedReads), '/staff/api/*'];
    expect(gets.map(({ url }) => url).filter((url) => !classified.includes(url))).toEqual([]);
  });

  it.each(Object.keys(auditedReads))(
    'a read by %s leaves an audit entry with the reader and the user',
    async (call) => {
      for (const [url, action, userId, subject] of auditedReads[call]?.() ?? []) {
        const before = await newest();
        expect([url, (await ann.get(url)).status]).toEqual([url, 200]);
        const entries = await entriesAfter(before);
        const entry = { action, actor: ann.actor, user_id: userId, subject };
        expect([url, entries]).toEqual([url, [expect.objectContaining(entry)]]);
        expect(JSON.stringify(entries)).not.toMatch(/1391234|mei@|fang@|0000-1111/);
        expect(JSON.stringify(entries)).not.toContain(user.phone);
      }
    },
  );

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
