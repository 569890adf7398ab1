import type { DomainOptions } from '@shop/server/context';
import { PushSubscriptionBodySchema } from '@shop/server/notices/notices.schemas';
import { ok } from '@shop/server/platform/http/envelope';
import type { App } from '@shop/server/platform/http/request';
import { answer } from '@shop/server/platform/http/schemas';
import type { SignedCookies } from '../signed-cookies';
import { serves, staffOf } from '../staff-access';
import { StaffPushSchema } from './push.schemas';
import { addPush, browserOf, endPush, nameBrowser, readPush } from './push.service';

/** Pushes to the browser of whoever sees the queue or the stock. */
export function pushRoutes(app: App, { context }: DomainOptions, signed: SignedCookies): void {
  const url = '/staff/api/push';
  const access = serves('seller', 'stock');
  const response = answer(StaffPushSchema);
  app.get(url, { ...access, schema: { response } }, async (request) =>
    ok(request, await readPush(context, staffOf(request).id, browserOf(signed, request))),
  );
  app.post(url, { ...access, schema: { body: PushSubscriptionBodySchema, response } }, async (request, reply) => {
    const known = browserOf(signed, request);
    const { browser, cookie } = known ? { browser: known, cookie: undefined } : nameBrowser(signed, request);
    await addPush(context, staffOf(request).id, browser, request.body, request.locale);
    if (cookie) reply.header('set-cookie', cookie);
    return ok(request, await readPush(context, staffOf(request).id, browser));
  });
  app.delete(url, { ...access, schema: { response } }, async (request) => {
    const browser = browserOf(signed, request);
    if (browser) await endPush(context.db, browser);
    return ok(request, await readPush(context, staffOf(request).id, browser));
  });
}
