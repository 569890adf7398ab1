import { PushService } from '../../test/support/doubles/push-service';
import { deliver } from '../../test/support/money-back';
import type { User } from '../../test/support/test-app';
import { withDouble } from '../../test/support/with-double';
import { collectOrderNotices } from './collect-notices.service';
import { sendNotices } from './send-notices.service';

withDouble(
  'notices by push',
  new PushService(),
  (testApp, service) => {
    beforeAll(() => collectOrderNotices(testApp().context));
    afterEach(async () => {
      service.statuses.clear();
      expect(service.refusals).toEqual([]);
      await testApp().db.run("update notices set state = 'dropped' where state = 'waiting'");
    });
    const subscribe = (user: User, browser = service.browser(), locale = 'zh-CN') =>
      user.post('user/notices/push', browser, { locale }).then(({ code }) => ({ code, browser }));
    const delivered = async (user: User) => {
      const orderNo = await user.bought(testApp().orderBody('manual'));
      await deliver(testApp().context, orderNo, 'CODE-SECRET');
      await collectOrderNotices(testApp().context);
      return orderNo;
    };
    const send = () => sendNotices(testApp().context);

    it('a push reaches the browser encrypted, in the user’s language, with the path that a click opens', async () => {
      const user = await testApp().user(100_000);
      const { browser } = await subscribe(user, undefined, 'en');
      expect((await user.get('user/notices')).data).toMatchObject({
        mail: null,
        push: { key: service.publicKey, browsers: 1, here: true },
        language: 'en',
      });
      const orderNo = await delivered(user);
      expect(await send()).toBe(1);
      expect(await send()).toBe(0);
      expect(service.of(browser).map(({ payload }) => payload)).toEqual([
        {
          title: expect.any(String),
          body: 'Delivered: Test goods',
          path: `/order/detail/${orderNo}`,
          tag: expect.stringMatching(/^notice-\d+$/),
          locale: 'en',
        },
      ]);
    });

    it('a push goes only to push services and their subdomains, with keys of valid length that are points of the curve', async () => {
      const endpoints = [
        'https://push.example/a',
        'https://web.push.example/b',
        'https://127.0.0.1/x',
        'https://169.254.169.254/latest/meta-data',
        'http://push.example/x',
        'https://push.example:8443/x',
        'https://user@push.example/x',
        'https://push.example.evil.example/x',
        'https://evilpush.example/x',
        'http://127.0.0.1:1/x',
        'http://localhost/x',
      ];
      const { push } = testApp().context.providers;
      expect(endpoints.filter((endpoint) => push?.serves(endpoint))).toEqual(endpoints.slice(0, 2));
      const user = await testApp().user(100_000);
      const foreign = { ...service.browser(), endpoint: endpoints[2] as string };
      expect((await subscribe(user, foreign)).code).toBe(40001);
      expect((await user.get('user/notices')).data.push.browsers).toBe(0);
      const browser = service.browser();
      expect((await subscribe(user, { ...browser, p256dh: 'AAAA' })).code).toBe(40001);
      expect((await subscribe(user, { ...browser, auth: 'AAAA' })).code).toBe(40001);
      const noPoint = Buffer.alloc(65, 4).toString('base64url');
      expect((await subscribe(user, { ...browser, p256dh: noPoint })).code).toBe(200);
      await delivered(user);
      expect(await send()).toBe(0);
      expect((await user.get('user/notices')).data.push.browsers).toBe(0);
    });

    it('pushes end with the session, so that no one else reads them on that screen', async () => {
      const user = await testApp().user(100_000);
      const { browser } = await subscribe(user);
      const orderNo = await user.bought(testApp().orderBody('manual'));
      await user.post('app/logout', {});
      await deliver(testApp().context, orderNo, '');
      await collectOrderNotices(testApp().context);
      await send();
      expect(service.of(browser)).toEqual([]);
      expect(await testApp().db.rows('select 1 from push_subscriptions where user_id = $1', [user.id])).toEqual([]);
      const next = await testApp().user(100_000);
      await subscribe(next, browser);
      await delivered(next);
      await send();
      expect(service.of(browser)).toHaveLength(1);
    });

    it('pushes end for a browser that unsubscribed, and continue in the others', async () => {
      const user = await testApp().user(100_000);
      const { browser: gone } = await subscribe(user);
      const { browser: other } = await subscribe(await testApp().signIn(user));
      service.statuses.set(gone.endpoint, 410);
      await delivered(user);
      expect(await send()).toBe(1);
      expect(service.of(other)).toHaveLength(1);
      expect(await testApp().db.rows('select endpoint from push_subscriptions where user_id = $1', [user.id])).toEqual([
        { endpoint: other.endpoint },
      ]);
    });

    it('a push is retried while the service fails, under the same tag', async () => {
      const user = await testApp().user(100_000);
      const { browser } = await subscribe(user);
      await delivered(user);
      service.statuses.set(browser.endpoint, 503);
      await expect(send()).rejects.toThrow('503');
      expect(await send()).toBe(0);
      service.statuses.clear();
      await testApp().db.run("update notices set due_at = now() where state = 'waiting'");
      expect(await send()).toBe(1);
      expect(service.of(browser)).toHaveLength(1);
    });

    it('pushes can be switched off for a browser, and by kind', async () => {
      const user = await testApp().user(100_000);
      const { browser } = await subscribe(user);
      await user.post('user/notices', { choices: [{ kind: 'delivered', channel: 'push', on: false }] });
      await delivered(user);
      await user.post('user/notices', { choices: [{ kind: 'delivered', channel: 'push', on: true }] });
      const off = await testApp().call('DELETE', 'user/notices/push', undefined, { token: user.token });
      expect(off.data.push).toMatchObject({ browsers: 0, here: false });
      await delivered(user);
      await send();
      expect(service.of(browser)).toEqual([]);
    });
  },
  { MAIL: 'none' },
);
