/**
 * A provider of OpenID Connect (oidc-provider) on this machine, as a program of its own. Its environment has PROVIDER_CLIENTS as
 * JSON; `openid-provider.ts` starts it and tells it who the people are and what it shall do wrong.
 */
import { generateKeyPairSync } from 'node:crypto';
import http from 'node:http';
import { decodeJwt, importJWK, SignJWT } from 'jose';
import { Provider } from 'oidc-provider';

const keyOf = () => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  alg: 'RS256',
  use: 'sig',
  kid: 'one',
});
const ownKey = keyOf();
let foreignKey;
let people = {};
/** Claims that the next ID tokens have instead of the right ones; `foreign`: signed by a key that nobody knows. */
let wrong = { claims: null, foreign: false };
let tokenCalls = 0;

const server = http.createServer();
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;

const provider = new Provider(issuer, {
  clients: JSON.parse(process.env.PROVIDER_CLIENTS),
  jwks: { keys: [ownKey] },
  scopes: ['openid', 'profile', 'groups'],
  claims: { openid: ['sub'], profile: ['name'], groups: ['groups'] },
  pkce: { required: () => true },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
  cookies: { keys: ['a key of this test'] },
  findAccount: (_ctx, id) => people[id] && { accountId: id, claims: () => ({ sub: id, ...people[id] }) },
  async loadExistingGrant({ oidc }) {
    const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
    grant.addOIDCScope('openid profile groups');
    await grant.save();
    return grant;
  },
});

/** Whoever `?as=` names has typed the right password; nobody: has pressed Cancel. */
async function interaction(ctx) {
  const { as } = ctx.query;
  const result = as ? { login: { accountId: as } } : { error: 'access_denied' };
  await provider.interactionFinished(ctx.req, ctx.res, result, { mergeWithLastSubmission: false });
  ctx.respond = false;
}
async function wronglySigned(idToken) {
  if (wrong.foreign) foreignKey ??= keyOf();
  const claims = Object.entries({ ...decodeJwt(idToken), ...wrong.claims }).filter(([, value]) => value !== null);
  return new SignJWT(Object.fromEntries(claims))
    .setProtectedHeader({ alg: 'RS256', kid: 'one' })
    .sign(await importJWK(wrong.foreign ? foreignKey : ownKey, 'RS256'));
}
provider.use(async (ctx, next) => {
  if (ctx.path.startsWith('/interaction/')) return interaction(ctx);
  await next();
  if (ctx.path !== '/token') return;
  tokenCalls += 1;
  if (ctx.body?.id_token && (wrong.claims || wrong.foreign)) ctx.body.id_token = await wronglySigned(ctx.body.id_token);
});
server.on('request', provider.callback());

process.on('message', (message) => {
  if (message.people) people = message.people;
  if (message.wrong) wrong = message.wrong;
  process.send({ tokenCalls });
});
process.on('disconnect', () => process.exit());
process.send({ issuer });
