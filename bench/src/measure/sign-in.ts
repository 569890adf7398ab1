import type { Shop } from '../../../e2e/src/shop';

export interface SignedIn {
  token: string;
  /** Name and value of the session cookie for documents (docs/adr/0007-server-side-rendering.md). */
  cookie: { name: string; value: string };
  order: string;
}

export async function signIn(shop: Pick<Shop, 'url'>): Promise<SignedIn> {
  const answer = await fetch(`${shop.url}/api/front/app/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ phone: '13800000000', login_type: 'password', password: 'demo1234' }),
  });
  const body = (await answer.json()) as { data?: { token_type: string; access_token: string } };
  if (!body.data) throw new Error(`the demo account could not sign in: ${JSON.stringify(body)}`);
  const [, name = '', value = ''] =
    /^(document-session)=([^;]+)/.exec(
      answer.headers.getSetCookie().find((cookie) => cookie.startsWith('document-')) ?? '',
    ) ?? [];
  const token = `${body.data.token_type} ${body.data.access_token}`;
  const list = await fetch(`${shop.url}/api/front/order/list`, { headers: { authorization: token } });
  const { data } = (await list.json()) as { data: { list: Array<{ order_no: string }> } };
  return { token, cookie: { name, value }, order: data.list[0]?.order_no ?? '' };
}
