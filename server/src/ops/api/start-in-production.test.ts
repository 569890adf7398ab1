import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@shop/release';
import { releasePlugins } from '../release-plugins';

const { env } = process;
let store: ReturnType<typeof openStore>;
beforeAll(async () => {
  store = openStore({ place: await mkdtemp(join(tmpdir(), 'shop-production-')) });
});
afterEach(() => {
  process.env = env;
});
const started = (more: NodeJS.ProcessEnv) => {
  process.env = { ...env, OPS_TOKEN: undefined, RELEASE_OIDC: undefined, ...more };
  return releasePlugins({ store });
};

it('makes no break-glass token up in production, where one is good only when it was set on purpose', () => {
  expect(started({ NODE_ENV: 'production' })).toMatchObject({ opsToken: '', opsTokenIsRandom: false });
  expect(started({ NODE_ENV: 'production', OPS_TOKEN: 'set-on-purpose' })).toMatchObject({
    opsToken: 'set-on-purpose',
  });
  expect(started({ NODE_ENV: 'test' })).toMatchObject({
    opsToken: expect.stringMatching(/.{12}/),
    opsTokenIsRandom: true,
  });
});

it.each([
  ['no JSON', '{', /RELEASE_OIDC cannot be used/],
  ['an issuer without TLS', '[{"issuer":"http://forge.example"}]', /each issuer is an https address/],
  ['no audience', '[{"issuer":"https://forge.example"}]', /needs an audience/],
  ['no rules', '[{"issuer":"https://forge.example","audience":"shop"}]', /needs rules/],
  ['a branch without its prefix', rule({ ref: 'main' }), /a ref such as refs\/heads\/main/],
  ['a role that there is not', rule({ role: 'root' }), /none of the roles/],
  ['a squad without remotes', rule({ remotes: [] }), /needs the names/],
  ['a squad without channels', rule({ channels: undefined }), /needs the channels/],
  ['channels that are no list', rule({ channels: 'production' }), /channels is a list/],
])('does not start with forges that have %s', (_, text, message) => {
  expect(() => started({ RELEASE_OIDC: text })).toThrow(message);
});

it('starts with forges that are whole', () => {
  expect(() => started({ RELEASE_OIDC: rule({}) })).not.toThrow();
});

function rule(given: object): string {
  const squad = { role: 'squad', remotes: ['catalog'], channels: ['production'] };
  const whole = { repository: 'acme/catalog', ref: 'refs/heads/main', ...squad, ...given };
  return JSON.stringify([{ issuer: 'https://forge.example', audience: 'shop', rules: [whole] }]);
}
