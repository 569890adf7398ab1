import { generateKeyPairSync } from 'node:crypto';
import { Settings } from '@shop/server/platform/settings/settings';
import { readOpenId } from './openid-settings';

const rule = { claim: 'groups', value: 'shop-ops', role: 'ops' };
const whole = {
  OPS_OIDC_ISSUER: 'https://id.example',
  OPS_OIDC_CLIENT_ID: 'shop',
  OPS_OIDC_CLIENT_SECRET: 'a secret',
  OPS_OIDC_ROLES: JSON.stringify([rule]),
  PUBLIC_URL: 'https://shop.example/',
};
const problemsOf = (env: NodeJS.ProcessEnv) => {
  const settings = new Settings({ ...whole, ...env });
  readOpenId(settings);
  return settings.problems.join('\n');
};
const rules = (...given: object[]) => ({ OPS_OIDC_ROLES: JSON.stringify(given) });

it('are read whole, with defaults for what most providers share; without an issuer there are none', () => {
  expect(readOpenId(new Settings(whole))).toEqual({
    issuer: 'https://id.example',
    clientId: 'shop',
    clientSecret: 'a secret',
    clientAuth: 'basic',
    privateKey: '',
    scope: 'openid profile email',
    nameClaim: 'name',
    label: 'id.example',
    rules: [{ ...rule, remotes: [], channels: [], maxTraffic: undefined }],
    publicUrl: 'https://shop.example',
  });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = String(privateKey.export({ format: 'pem', type: 'pkcs8' }));
  expect(problemsOf({ OPS_OIDC_CLIENT_SECRET: '', OPS_OIDC_PRIVATE_KEY: pem })).toBe('');
  expect(problemsOf({ OPS_OIDC_ISSUER: 'http://127.0.0.1:9000', PUBLIC_URL: 'http://localhost:8080' })).toBe('');
  expect(readOpenId(new Settings({ ...whole, OPS_OIDC_ISSUER: '' }))).toBeNull();
});

it.each([
  ['an issuer without TLS', { OPS_OIDC_ISSUER: 'http://id.example' }, /OPS_OIDC_ISSUER must be an https address/],
  ['an issuer that is none', { OPS_OIDC_ISSUER: 'id.example' }, /OPS_OIDC_ISSUER must be an https address/],
  ['no client', { OPS_OIDC_CLIENT_ID: '' }, /OPS_OIDC_CLIENT_ID must be set/],
  ['neither secret nor key', { OPS_OIDC_CLIENT_SECRET: '' }, /Either OPS_OIDC_CLIENT_SECRET or OPS_OIDC_PRIVATE_KEY/],
  ['both secret and key', { OPS_OIDC_PRIVATE_KEY: 'x' }, /Either OPS_OIDC_CLIENT_SECRET or OPS_OIDC_PRIVATE_KEY/],
  ['a key that is none', { OPS_OIDC_CLIENT_SECRET: '', OPS_OIDC_PRIVATE_KEY: 'x' }, /OPS_OIDC_PRIVATE_KEY is not/],
  ['a way to send it that is none', { OPS_OIDC_CLIENT_AUTH: 'get' }, /OPS_OIDC_CLIENT_AUTH=get is none of basic, post/],
  ['no address of the shop', { PUBLIC_URL: '' }, /PUBLIC_URL must be set/],
  ['an address of the shop without TLS', { PUBLIC_URL: 'http://shop.example' }, /PUBLIC_URL must be an https address/],
  ['no rules', { OPS_OIDC_ROLES: '' }, /OPS_OIDC_ROLES must be set/],
  ['rules that are no JSON', { OPS_OIDC_ROLES: '{' }, /OPS_OIDC_ROLES cannot be used/],
  ['an empty list', rules(), /a list of rules/],
  ['a rule without a claim', rules({ ...rule, claim: '' }), /needs a claim and a value/],
  ['a rule for every value', rules({ ...rule, value: undefined }), /needs a claim and a value/],
  ['a role that there is not', rules({ ...rule, role: 'root' }), /none of the roles/],
  ['a squad without remotes', rules({ ...rule, role: 'squad' }), /needs the names of its remotes/],
])('stop the start with %s', (_, env, message) => {
  expect(problemsOf(env)).toMatch(message);
});
