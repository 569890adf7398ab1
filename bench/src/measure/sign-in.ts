import type { Shop } from '../../../e2e/src/shop';

/** The demo account's token as the shell keeps it. */
export async function signIn(shop: Shop): Promise<string> {
  const answer = await fetch(`${shop.url}/api/front/app/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ phone: '13800000000', login_type: 'password', password: 'demo1234' }),
  });
  const body = (await answer.json()) as { data?: { token_type: string; access_token: string } };
  if (!body.data) throw new Error(`the demo account could not sign in: ${JSON.stringify(body)}`);
  return `${body.data.token_type} ${body.data.access_token}`;
}
