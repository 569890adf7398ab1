import type { Shop } from '../../../e2e/src/shop';
import { orderAllowing } from '../../../e2e/src/steps';

export interface SignedIn {
  token: string;
  /** Name and value of the session cookie for documents (docs/adr/0007-server-side-rendering.md). */
  cookie: { name: string; value: string };
  /** Number of a delivered order. */
  order: string;
}

export async function signIn(shop: Pick<Shop, 'url'>): Promise<SignedIn> {
  const answer = await fetch(`${shop.url}/api/front/app/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ phone: '13800000000', login_type: 'password', password: 'demo1234' }),
  });
  const { data } = (await answer.json()) as { data: { token_type: string; access_token: string } };
  const token = `${data.token_type} ${data.access_token}`;
  const [, value = ''] = /document-session=([^;]+)/.exec(answer.headers.getSetCookie().join()) ?? [];
  return { token, cookie: { name: 'document-session', value }, order: await orderAllowing('reveal', shop, token) };
}
