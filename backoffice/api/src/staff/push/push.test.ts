import { collectOrderNotices } from '@shop/server/notices/collect-notices.service';
import { sendNotices } from '@shop/server/notices/send-notices.service';
import { collectLowStock } from '@shop/server/notices/staff-notices.service';
import { PushService } from '@shop/server/test/support/doubles/push-service';
import { onEveryDatabase } from '@shop/server/test/support/test-app';
import { withDouble } from '@shop/server/test/support/with-double';
import { forgetStaff } from '../../back-office';
import { type StaffMember, signedInStaff } from '../../testing/staff';
import { changeStaff, resetStaff } from '../people.service';
import { type StaffRole, staffRoles } from '../roles';

withDouble(
  'pushes to staff',
  new PushService(),
  (testApp, service) => {
    beforeAll(() => collectOrderNotices(testApp().context));
    afterEach(async () => {
      service.statuses.clear();
      expect(service.refusals).toEqual([]);
      await testApp().db.script(
        "delete from staff_push_subscriptions; update notices set state = 'dropped' where state = 'waiting'",
      );
    });

    /** A member with a browser that is told, and its cookie. */
    const told = async (role: StaffRole = 'seller', locale = 'zh-CN') => {
      const member = await signedInStaff(testApp(), role);
      const subscription = service.browser();
      const answer = await post(member, subscription, { locale });
      const cookie = /^staff-push=[^;]+/.exec([answer.headers['set-cookie']].flat().join())?.[0] ?? '';
      return { member, subscription, cookie, answer };
    };
    const post = (member: StaffMember, body: object, headers: Record<string, string> = {}) =>
      member.post('push', body, headers);
    const both = (member: StaffMember, cookie: string) => ({ cookie: `${member.cookie}; ${cookie}` });
    const payloads = (subscription: { endpoint: string }) => service.of(subscription).map(({ payload }) => payload);
    const ordered = async () => {
      const person = await testApp().person(100_000);
      const orderNo = await person.bought(testApp().wish('manual'));
      return { person, orderNo };
    };
    const send = async () => {
      await collectOrderNotices(testApp().context);
      return sendNotices(testApp().context);
    };
    const left = async () => (await testApp().db.rows('select 1 from staff_push_subscriptions')).length;

    it('tell of an order that waits for somebody, once, in the language of the browser, and nothing of the shopper', async () => {
      // What happened before is no news.
      await ordered();
      const chinese = await told('seller');
      const english = await told('seller', 'en');
      await testApp().addStock(1);
      const { person, orderNo } = await ordered();
      await person.bought();
      for (let turn = 0; turn < 2; turn++) await send();
      const waits = { path: `/staff#/queue/${orderNo}`, tag: expect.stringMatching(/^notice-\d+$/) };
      expect(payloads(chinese.subscription)).toEqual([
        { ...waits, locale: 'zh-CN', title: '新订单待处理', body: expect.stringMatching(/^[^{}]+ ×1$/) },
      ]);
      expect(payloads(english.subscription)).toEqual([
        { ...waits, locale: 'en', title: 'Order to deliver', body: expect.stringMatching(/^Test goods [^{}]+ ×1$/) },
      ]);
      expect(JSON.stringify(service.pushed)).not.toContain(person.phone);
    });

    it('tell of stock that runs out once a day', async () => {
      const { subscription } = await told('stock', 'en');
      await testApp().setStock(3);
      for (let turn = 0; turn < 2; turn++) {
        await collectLowStock(testApp().context);
        while (await sendNotices(testApp().context));
      }
      const pushed = payloads(subscription);
      expect(pushed).toContainEqual({
        title: 'Low stock',
        body: expect.stringMatching(/^Genshin Impact .+: 3 left$/),
        path: '/staff#/stock',
        tag: 'staff-stock',
        locale: 'en',
      });
      expect(new Set(pushed.map(({ body }) => body)).size).toBe(pushed.length);
    });

    it('tell of orders whoever may see the queue, of stock whoever may see it, and nobody else', async () => {
      const members = [];
      for (const role of staffRoles) {
        const member = await signedInStaff(testApp(), role);
        const subscription = service.browser();
        const { code } = await post(member, subscription);
        const [queue, stock] = [await member.get('queue'), await member.get('stock/low')];
        const may = [...(queue.code === 200 ? ['queue'] : []), ...(stock.code === 200 ? ['stock'] : [])];
        expect([role, code]).toEqual([role, may.length > 0 ? 200 : 403]);
        members.push({ role, may, subscription });
      }
      await testApp().setStock(2);
      await ordered();
      await collectLowStock(testApp().context);
      await send();
      while (await sendNotices(testApp().context));
      for (const { role, may, subscription } of members) {
        const places = new Set(payloads(subscription).map(({ path }) => path.split('/')[2]));
        expect([role, [...places].sort()]).toEqual([role, may]);
      }
    });

    it('go on after the session has ended by itself, until two weeks after the last sign-in', async () => {
      const { member, subscription } = await told();
      await testApp().db.run("update staff_sessions set seen_at = now() - interval '31 minutes'");
      expect((await member.get('push')).code).toBe(401);
      await forgetStaff(testApp().db);
      await ordered();
      await send();
      expect(payloads(subscription)).toHaveLength(1);
      const lastSignIn = (days: number) =>
        testApp().db.run('update staff_push_subscriptions set signed_in_at = now() - make_interval(days => $1)', [
          days,
        ]);
      await lastSignIn(13);
      await testApp().db.run('update staff_people set totp_step = 0 where name = $1', [member.name]);
      expect((await member.signIn()).code).toBe(200);
      const { fresh } = await testApp().db.one<{ fresh: boolean }>(
        "select signed_in_at > now() - interval '1 hour' as fresh from staff_push_subscriptions",
      );
      expect(fresh).toBe(true);
      await lastSignIn(15);
      await forgetStaff(testApp().db);
      expect(await left()).toBe(0);
    });

    it('end by one press, and by a sign-out in that browser, also of somebody else; the other browsers are told on', async () => {
      const { member, subscription, cookie } = await told();
      const other = service.browser();
      await post(member, other);
      expect((await member.get('push', both(member, cookie))).data).toMatchObject({ here: true, language: 'zh-CN' });
      expect((await member.get('push')).data).toEqual({ key: service.publicKey, here: false, language: null });
      const off = await member.call('DELETE', 'push', undefined, both(member, cookie));
      expect(off.data.here).toBe(false);
      await ordered();
      await send();
      expect([payloads(subscription), payloads(other)]).toEqual([[], [expect.anything()]]);

      await post(member, subscription, both(member, cookie));
      const next = await signedInStaff(testApp(), 'money');
      expect((await next.call('DELETE', 'session', undefined, both(next, cookie))).code).toBe(200);
      await ordered();
      await send();
      expect([payloads(subscription).length, payloads(other).length]).toEqual([0, 2]);
    });

    it('are of whoever switched them on last in a browser', async () => {
      const { subscription, cookie } = await told('seller');
      const next = await signedInStaff(testApp(), 'stock');
      expect((await post(next, subscription, both(next, cookie))).data.here).toBe(true);
      await ordered();
      await send();
      expect(payloads(subscription)).toEqual([]);
      expect(await left()).toBe(1);
    });

    it.each<[string, (name: string) => Promise<unknown>]>([
      ['who is disabled', (name) => changeStaff(testApp().context, name, { disabled: true })],
      ['whose role changes', (name) => changeStaff(testApp().context, name, { role: 'money' })],
      ['who gets a new invitation', (name) => resetStaff(testApp().context, name)],
    ])('end with the sessions of somebody %s, also of what was made before', async (_who, change) => {
      const { member, subscription } = await told();
      await ordered();
      await collectOrderNotices(testApp().context);
      await change(member.name);
      await sendNotices(testApp().context);
      expect(payloads(subscription)).toEqual([]);
      expect(await left()).toBe(0);
    });

    it('are not sent to somebody who was disabled, whatever is left of them', async () => {
      const { member, subscription } = await told();
      await ordered();
      await collectOrderNotices(testApp().context);
      await testApp().db.run('update staff_people set disabled_at = now() where name = $1', [member.name]);
      await sendNotices(testApp().context);
      expect(payloads(subscription)).toEqual([]);
      const { detail } = await testApp().db.one<{ detail: string }>(
        "select detail from notices where kind = 'staff_order' and channel = 'push' order by id desc limit 1",
      );
      expect(detail).toBe('no browser');
    });

    it('end in other browsers when the person chooses another password', async () => {
      const { member, subscription, cookie } = await told();
      const lost = service.browser();
      await post(member, lost);
      const wish = { current: member.credentials.password, password: 'correct horse battery' };
      expect((await member.post('password', wish, both(member, cookie))).code).toBe(200);
      await ordered();
      await send();
      expect([payloads(subscription).length, payloads(lost).length]).toEqual([1, 0]);
    });

    it.each([404, 410])('end for a browser of which its service says %d, and go on in the others', async (status) => {
      const { member, subscription: gone } = await told();
      const other = service.browser();
      await post(member, other);
      service.statuses.set(gone.endpoint, status);
      await ordered();
      expect(await send()).toBe(1);
      expect(payloads(other)).toHaveLength(1);
      expect(await testApp().db.rows('select endpoint from staff_push_subscriptions')).toEqual([
        { endpoint: other.endpoint },
      ]);
    });

    it('are tried again while the service has trouble, under the same tag', async () => {
      const { subscription } = await told();
      await ordered();
      service.statuses.set(subscription.endpoint, 503);
      await expect(send()).rejects.toThrow('503');
      service.statuses.clear();
      await testApp().db.run("update notices set due_at = now() where state = 'waiting'");
      await send();
      expect(payloads(subscription)).toHaveLength(1);
    });

    it('take ten browsers of a person, services by their name only, and keys that are some', async () => {
      const { member, answer } = await told();
      expect([answer.headers['set-cookie']].flat().join()).toMatch(
        /^staff-push=[\w-]+\.[\w-]+; Path=\/staff; HttpOnly; SameSite=Strict; Max-Age=34560000$/,
      );
      for (const wrong of [{ endpoint: 'https://127.0.0.1/x' }, { p256dh: 'AAAA' }, { auth: 'AAAA' }])
        expect((await post(member, { ...service.browser(), ...wrong })).code).toBe(40001);
      for (let count = 0; count < 10; count++) await post(member, service.browser());
      expect(await left()).toBe(10);
    });

    it('know a browser by a cookie that nobody else can write', async () => {
      const { member, cookie } = await told();
      const forged = cookie.replace(/=[\w-]+/, `=${Buffer.from('"other"').toString('base64url')}`);
      expect((await member.get('push', both(member, forged))).data.here).toBe(false);
      await member.call('DELETE', 'push', undefined, both(member, forged));
      expect(await left()).toBe(1);
    });
  },
  { MAIL: 'none' },
);

onEveryDatabase(
  'a shop without push',
  (testApp) => {
    it('offers staff none, and asks nothing of the database for it', async () => {
      const seller = await signedInStaff(testApp(), 'seller');
      expect((await seller.get('push')).data).toEqual({ key: null, here: false, language: null });
      const subscription = {
        endpoint: 'https://push.example/1',
        p256dh: Buffer.alloc(65, 4).toString('base64url'),
        auth: Buffer.alloc(16).toString('base64url'),
      };
      expect((await seller.post('push', subscription)).code).toBe(404);
      const rows = jest.spyOn(testApp().context.db, 'rows');
      for (const job of [collectOrderNotices, collectLowStock, sendNotices])
        expect(await job(testApp().context)).toBe(0);
      expect(rows).not.toHaveBeenCalled();
      rows.mockRestore();
    });
  },
  () => ({ MAIL: 'none' }),
);
