import { ChatServices } from '../../test/support/doubles/chat-services';
import { json } from '../../test/support/doubles/double';
import { withDouble } from '../../test/support/with-double';
import { runJob } from '../jobs/jobs';
import { type Chat, postChat } from '../providers/chats';
import { chatJobs, sendToChat } from './chats.service';
import { collectLowStock, collectOrderNotices, collectReleaseNotices } from './collect-notices.service';
import { sendNotices } from './send-notices.service';
import { chatText, type StaffNoticeData } from './staff-texts';

const at = '2026-11-29T10:00:00Z';
const money = { amount: 19_600, currency: 'CNY' as const };
const order = { order_no: 'A123', goods: 'Steam 卡', spec: '100 元', quantity: 2, ...money };
const card = { goods: 'Card', spec: 'A', pieces: 3, place: 'card/a' };
const release = {
  kind: 'rollback',
  name: 'catalog',
  version: '2.0.0',
  channel: 'production',
  by_watcher: true,
  why: 'worse',
};
const frozen = { ...release, kind: 'freeze', name: '*', by_watcher: false, why: '' };
const costly = { goods: 'Card', cost: 20_000, ...money };
const events: Array<[kind: string, data: Partial<StaffNoticeData>, chinese: string, english: string, place: string]> = [
  ['staff_order', order, '新订单\n', 'New order\n', 'order/A123'],
  ['staff_order', { ...order, waits: true }, '新订单待处理\n', 'Order to deliver\n', 'order/A123'],
  ['staff_hold', order, '订单待核查\n', 'Order on hold for review\n', 'order/A123'],
  ['staff_stock', card, '库存不足\nCard A: 3', 'Low stock\nCard A: 3', 'stock/of/card/a'],
  [
    'staff_cost',
    costly,
    '成本过高，已停售\nCard: 成本 ¥200.00, 售价 ¥196.00\n',
    'Off sale for its cost\n',
    'suppliers',
  ],
  ['staff_refund', { payment_no: 'P1', ...money }, '退款待处理\nP1', 'Refund to complete\nP1    ¥196.00', 'refunds'],
  ['staff_release', { release }, '版本发布：回滚（自动）\ncatalog', 'Release: rolled back (automatic)\n', 'releases'],
  ['staff_release', { release: frozen }, '版本发布：冻结\n(production)\nhttps', 'Release: frozen\n(', 'releases'],
];

const addresses = { STAFF_URL: 'https://staff.example', PUBLIC_URL: 'https://shop.example' };
const suite: Parameters<typeof withDouble<ChatServices>>[2] = (testApp, services) => {
  const context = () => testApp().context;
  const chats = () => context().config.staffNotices.chats;
  const sendAll = () => Promise.allSettled(chatJobs(context().config).map((job) => runJob(context(), job)));
  const texts = (form: string) => services.accepted.filter((message) => message.form === form).map(({ text }) => text);
  beforeAll(() => collectOrderNotices(context()));
  beforeEach(async () => {
    services.reset();
    await testApp().db.run("update notices set state = 'dropped' where channel = 'chat' and state = 'waiting'");
  });

  it('every service accepts every event in both languages, of the longest names too, with a link', async () => {
    const long = 'Ａ&<😀'.repeat(100);
    for (const chat of chats())
      for (const [kind, data, chinese, english, place] of events) {
        const written = (of: object) =>
          chatText({ id: 1, kind, data: { to: chat.name, at, ...data, ...of } }, chat.language, addresses.STAFF_URL);
        const text = written({});
        expect(text.startsWith(chat.language === 'en' ? english : chinese)).toBe(true);
        expect(text.endsWith(`\nhttps://staff.example/staff#/${place}`)).toBe(true);
        const longest = data.release ? { ...data.release, name: long, why: long } : undefined;
        const five = Array(5)
          .fill(written({ goods: long, spec: long, release: longest }))
          .join('\n\n');
        expect([...five].length).toBeLessThanOrEqual(2_000);
        for (const message of [text, five])
          expect([chat.form, kind, (await postChat(chat, message)).accepted]).toEqual([chat.form, kind, true]);
      }
    expect(services.refusals).toEqual([]);
  });

  it('paid orders and low stock reach each chat once, in its language, without data of the shopper', async () => {
    const user = await testApp().user(100_000);
    await testApp().addStock(3);
    const card = await user.bought();
    const manual = await user.bought(testApp().orderBody('manual'));
    for (let turn = 0; turn < 2; turn++) {
      await collectOrderNotices(context());
      await collectLowStock(context());
      await sendNotices(context());
      await sendAll();
    }
    for (const form of ['slack', 'dingtalk', 'feishu', 'telegram']) {
      const [chinese = '', english = ''] = ['新订单\n', 'New order\n'].map((title) =>
        texts(form).find((text) => text.includes(title)),
      );
      expect(texts(form).join().match(new RegExp(card, 'g'))).toHaveLength(4);
      expect(chinese).toContain(`新订单待处理\n${manual}`);
      expect(english).toContain(`Order to deliver\n${manual}`);
      expect(texts(form).join('\n\n')).toMatch(
        /Low stock\n[^{}"\n]+: \d+\nhttps:\/\/staff\.example\/staff#\/stock\/of\/direct\/a/,
      );
    }
    const sent = JSON.stringify(services.accepted);
    expect(sent).not.toContain(user.phone);
  });

  it('releases of the last hour are sent once, with the reason of the watcher only', async () => {
    const add = (id: string, who: string, age: string) =>
      testApp().db.run(
        `insert into release_events (id, at, channel, kind, name, version, why, evidence, who)
         values ($1, now() - $3::interval, 'production', 'rollback', 'catalog', '2.0.0', 'because ' || $2, '{}', $2)`,
        [id, who, age],
      );
    await add('production:1', 'watcher', '1 minute');
    await add('production:2', 'ann', '2 minutes');
    await add('production:3', 'watcher', '2 hours');
    expect([await collectReleaseNotices(context()), await collectReleaseNotices(context())]).toEqual([16, 0]);
    await sendAll();
    const [text = '', ...others] = texts('telegram').filter((message) => message.startsWith('Release'));
    expect(others).toEqual([]);
    expect(text.split('\n\n')).toEqual([
      'Release: rolled back\ncatalog 2.0.0 (production)\nhttps://staff.example/staff#/releases',
      'Release: rolled back (automatic)\ncatalog 2.0.0 (production)\nbecause watcher\nhttps://staff.example/staff#/releases',
    ]);
  });

  it('a chat that refuses or hangs delays no other, waits as long as it asks, and stores no secret', async () => {
    await (await testApp().user(100_000)).bought(testApp().orderBody('manual'));
    await collectOrderNotices(context());
    const [slack, , dingtalk, , feishu, , telegram] = chats() as Required<ReturnType<typeof chats>>;
    services.faults.set(
      'telegram',
      json(429, { ok: false, description: 'Too Many Requests', parameters: { retry_after: 600 } }),
    );
    services.faults.set('dingtalk', json(200, { errcode: 310000, errmsg: 'sign not match' }));
    services.faults.set('feishu', () => {});
    const send = (chat = slack) => sendToChat(context(), chat as NonNullable<typeof chat>, 500);
    const hanging = expect(send(feishu)).rejects.toThrow('chat feishu-zh: TimeoutError');
    await expect(send(telegram)).rejects.toThrow('chat telegram-zh: HTTP 429 Too Many Requests');
    await expect(send(dingtalk)).rejects.toThrow('chat dingtalk-zh: code 310000 sign not match');
    expect(await send()).toBe(1);
    await hanging;
    const rows = await testApp().db.rows<{ chat: string; wait: number }>(
      `select data ->> 'to' as chat, extract(epoch from due_at - now())::integer as wait from notices
        where channel = 'chat' and state = 'waiting' and tries = 1 order by 1`,
    );
    expect(rows.map(({ chat, wait }) => [chat, Math.round(wait / 60)])).toEqual([
      ['dingtalk-zh', 1],
      ['feishu-zh', 1],
      ['telegram-zh', 10],
    ]);
    services.faults.clear();
    await testApp().db.run("update notices set due_at = now() where channel = 'chat'");
    for (const chat of [telegram, dingtalk, feishu]) expect(await send(chat)).toBe(1);
    expect(await send(telegram)).toBe(0);
    const stored = JSON.stringify([
      await testApp().db.rows('select * from notices'),
      await testApp().db.rows('select * from jobs'),
    ]);
    for (const secret of Object.values(services.secrets)) expect(stored).not.toContain(secret);
  });

  it('a message holds the five oldest notices, however many wait, also with a plan of the empty table', async () => {
    const chat = chats().find(({ name }) => name === 'slack-en') as Chat;
    await testApp().db.run('delete from notices');
    await testApp().db.script('vacuum analyze notices');
    for (let turn = 0; turn < 12; turn++) expect(await sendToChat(context(), chat)).toBe(0);
    await testApp().db.run(
      `insert into notices (channel, kind, about, data)
       select 'chat', 'staff_stock', 'many ' || n, jsonb_build_object('to', 'slack-en', 'goods', 'Card', 'spec', n::text, 'pieces', 0)
         from generate_series(1, 200) n`,
    );
    expect([await sendToChat(context(), chat), await sendToChat(context(), chat)]).toEqual([5, 5]);
    expect(texts('slack').map((text) => text.match(/(?<=Card )\d+/g))).toEqual([
      ['1', '2', '3', '4', '5'],
      ['6', '7', '8', '9', '10'],
    ]);
  });
};
withDouble('chats of staff', new ChatServices(), suite, addresses);
