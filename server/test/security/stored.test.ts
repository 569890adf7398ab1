import { importFile } from '@shop/backoffice/cli/import';
import { type StaffMember, signedInStaff } from '@shop/backoffice/testing';
import { both, banner as staffBanner, homeModule as staffModule } from '@shop/backoffice/testing/values';
import { saveConfig } from '../../src/content/content.service';
import { anyText } from '../../src/platform/http/body-validator';
import { runShop } from '../support/run-shop';
import { onEveryDatabase } from '../support/test-app';

/** An item that links to nothing. */
const item = (over: object = {}) => ({
  kind: 'link',
  goods: null,
  category: null,
  title: both('Item'),
  image: '/media/a.webp',
  tag: null,
  link_type: 0,
  link_value: '',
  ...over,
});
const banner = (over: object = {}) => staffBanner({ link_type: 0, link_value: '', ...over });
const homeModule = (over: object = {}) => staffModule({ more_link: null, items: [item() as never], ...over });

/** The last one stays where it is stored, and staff cannot add it. */
const hostileLinks: Array<[type: number, value: string]> = [
  [0, 'javascript:alert(1)'],
  [1, 'javascript:alert(1)'],
  [4, '//evil.example'],
  [4, 'https://evil.example'],
];

onEveryDatabase('foreign links', (testApp) => {
  let stock: StaffMember;
  beforeAll(async () => {
    stock = await signedInStaff(testApp(), 'stock');
  });
  const save = (path: string, value: object, key = 'hostile') =>
    stock.post(`${path}/save`, { key, value, revision: null });

  it.each(hostileLinks)(
    'a link of type %i, %j, cannot be stored in a module or banner',
    async (link_type, link_value) => {
      const answer = await save('modules', homeModule({ items: [item(), item({ link_type, link_value })] }));
      expect([answer.code, Object.keys(answer.data?.errors ?? {})]).toEqual([40001, ['value.items.1.link_value']]);
      expect(answer.data.errors['value.items.1.link_value']).toMatch(/leads to|another site|control characters/);
      expect((await save('banners', banner({ link_type, link_value }))).code).toBe(40001);
      expect((await save('modules', homeModule({ more_link: link_value }))).code).toBe(40001);
      expect(await testApp().db.rows("select key from custom_modules where key like 'hostile%'")).toEqual([]);
    },
  );

  it('a product with a foreign link in its text is refused, and the response names the field', async () => {
    const { value: goods, revision } = (await stock.get('goods/card')).data;
    const changed = { ...goods, description_html: both('<a href="javascript:x()">go</a>') };
    const refused = await stock.post('goods/save', { key: 'card', value: changed, revision });
    expect([refused.code, Object.keys(refused.data?.errors ?? {}).sort()]).toEqual([
      40001,
      ['value.description_html.en', 'value.description_html.zh-CN'],
    ]);
  });

  it('no configuration sets a foreign link', async () => {
    const manager = await signedInStaff(testApp(), 'manager');
    for (const [name, value] of [
      ['customer_link', 'javascript:alert(1)'],
      ['customer_link', '//evil.example'],
      ['game_website_url', 'http://evil.example'],
      ['logo', 'javascript:alert(1)'],
      ['social', [{ key: 'weibo', name: both('x'), url: 'javascript:alert(1)' }]],
      ['icp', 'ICP\u001b[2J'],
    ] as const) {
      const answer = await manager.post('config', { key: name, value });
      expect([name, answer.code, answer.data]).toEqual([name, 40001, { errors: { value: expect.any(String) } }]);
    }
    const link = { key: 'customer_link', value: 'https://support.example/chat' };
    expect((await manager.post('config', { ...link, key: 'customer_lnk' })).code).toBe(404);
    await saveConfig(testApp().db, link.key, '');
    expect((await manager.post('config', link)).code).toBe(200);
    expect((await manager.get('config')).data.customer_link).toBe(link.value);
    expect(
      await testApp().db.one("select actor, detail -> 'after' as after from audit_log where action = 'config.edit'"),
    ).toEqual({ actor: `${manager.name} (staff)`, after: { value: link.value } });
  });

  it('a foreign link that an older version has stored is not sent, but the rest is', async () => {
    const { db } = testApp();
    const link = 'javascript:alert(1)';
    await save('banners', banner({ title: both('Old banner') }), 'old-banner');
    await save('modules', homeModule({ title: both('Old module') }), 'old-module');
    await db.run("update swipers set link_type = 4, link_value = $1 where key = 'old-banner'", [link]);
    await db.run("update custom_modules set more_link = '//evil.example' where key = 'old-module'");
    await db.run(
      "update custom_module_items set link_type = 4, link_value = $1 where module_id = (select id from custom_modules where key = 'old-module')",
      ['https://shop.example@evil.example'],
    );
    const config = { customer_link: link, game_website_url: '//evil.example', logo: 'data:image/svg+xml,x' };
    for (const [name, value] of Object.entries({ ...config, social: [{ key: 'x', name: both('x'), url: link }] }))
      await saveConfig(db, name, value);
    await db.run("update goods set description_en = $1 where key = 'card'", [
      `<p><a href="/\\evil.example">go</a></p>`,
    ]);
    const none = { link_type: 0, link_value: '' };
    const get = async (url: string) => (await testApp().get(url, { locale: 'en' })).data;
    expect(await get('swiper/list?channel=4')).toContainEqual(
      expect.objectContaining({ title: 'Old banner', ...none }),
    );
    expect(await get('customModule/list?channel=3')).toContainEqual(
      expect.objectContaining({ title: 'Old module', more_link: '', items: [expect.objectContaining(none)] }),
    );
    expect(await get('app/config')).toMatchObject({ customer_link: '', game_website_url: '', logo: '', social: [] });
    expect((await get(`goods/info?id=${testApp().goods.card.id}`)).description_html).not.toContain('evil');
  });

  it('a link to another site that a command has set stays when its module changes', async () => {
    const value = 'https://partner.example/game';
    await save('modules', homeModule({ items: [item({ title: both('Partner') })] }), 'partner');
    await testApp().db.run(
      "update custom_module_items set link_type = 4, link_value = $1 where module_id = (select id from custom_modules where key = 'partner')",
      [value],
    );
    const edited = (await stock.get('modules/partner')).data;
    const changed = { ...edited.value, title: both('Partners') };
    expect((await stock.post('modules/save', { key: 'partner', value: changed, revision: edited.revision })).code).toBe(
      200,
    );
  });
});

const hostileText = 'a\u001b[2Jb';

onEveryDatabase('text with control characters', (testApp) => {
  it('control characters are refused with the name of their field, in texts of guests, shoppers and staff', async () => {
    const enquiry = { company: hostileText, contact: 'B', phone: '13800000000', type: 'agent', content: 'C' };
    const guest = await testApp().post('business/add', enquiry);
    expect([guest.code, guest.data?.errors]).toEqual([40001, { company: expect.stringContaining('控制字符') }]);
    const user = await testApp().user();
    const named = await user.post('user/info', { nickname: hostileText }, { locale: 'en' });
    const nickname = expect.stringContaining('control characters');
    expect([named.code, named.data?.errors]).toEqual([40001, { nickname }]);
    const goods_id = testApp().goods.custom.id;
    const order = await user.order({ goods_id, custom_value: 100, fields: { uid: hostileText } });
    expect([order.code, Object.keys(order.data?.errors ?? {})]).toEqual([40001, ['fields.uid']]);
    const manager = await signedInStaff(testApp(), 'manager');
    const value = banner({ title: both(hostileText) });
    const saved = await manager.post('banners/save', { key: 'x', revision: null, value });
    expect([saved.code, Object.keys(saved.data?.errors ?? {})]).toEqual([
      40001,
      expect.arrayContaining(['value.title.zh-CN']),
    ]);
  });

  it('no text but passwords and files of codes may hold control characters', () => {
    const schemas = JSON.stringify(
      testApp().routes.map(({ schema }) => (schema as { body?: object } | undefined)?.body),
    );
    const free = schemas.matchAll(new RegExp(`"(\\w+)":\\{[^{}]*"${anyText.contentMediaType}"`, 'g'));
    expect([...new Set(Array.from(free, ([, name]) => name))].sort()).toEqual([
      'current',
      'old_password',
      'password',
      'text',
    ]);
  });

  it('fields with several lines keep line ends', async () => {
    const content = 'one\ntwo\r\n\tthree';
    const enquiry = { company: 'Lines', contact: 'B', phone: '13800000000', type: 'agent', content };
    expect((await testApp().post('business/add', enquiry)).code).toBe(200);
    expect(
      await testApp().db.one("select content from business_enquiries where company = 'Lines' order by id desc limit 1"),
    ).toEqual({ content });
  });

  it('commands refuse text with control characters', async () => {
    expect(await runShop(['import', hostileText], {})).toMatchObject({
      code: 2,
      err: expect.stringContaining('control characters'),
    });
    const goods = [
      { key: 'text', name: { 'zh-CN': 'a\u001b[2J', en: 'b' }, category: 'c', recharge_type: 1, specs: [] },
    ];
    const { faults } = await importFile(testApp().context, 'goods.json', JSON.stringify({ goods }));
    expect(faults).toContainEqual({ message: 'goods 1: name.zh-CN: must not hold control characters' });
  });

  it('no call without a body schema stores a text of its body', () => {
    const writes = testApp().routes.filter(({ method }) => ['POST', 'PUT', 'PATCH'].includes(String(method)));
    const open = writes.filter(({ schema }) => !(schema as { body?: object } | undefined)?.body).map(({ url }) => url);
    expect(open.sort()).toEqual(withoutSchema);
  });
});

/** These calls store no text of their body: it is empty, signed by a provider, or a file. */
const withoutSchema = [
  '/api/front/app/logout',
  '/api/front/notices/confirm',
  '/api/front/notices/stop',
  '/api/front/payment/callback/:method',
  '/api/front/user/notices/email',
  '/cashier/:payment_no',
  '/staff/api/pictures',
  '/staff/api/prices/apply',
  '/staff/api/prices/preview',
  '/uploads/*',
];
