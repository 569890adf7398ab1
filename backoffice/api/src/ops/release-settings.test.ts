import { Settings } from '@shop/server/platform/settings/settings';
import { readReleaseSettings } from './release-settings';

const read = (env: NodeJS.ProcessEnv) => {
  const settings = new Settings(env);
  return { ...readReleaseSettings(settings), problems: settings.problems };
};
const SECRET = 'q7Zx2mLw9RtY4bVn8KsD3fGh';

it('makes a break-glass token up outside production, where nobody could sign in otherwise', () => {
  expect(read({})).toMatchObject({ opsToken: expect.stringMatching(/.{16}/), opsTokenIsRandom: true });
  expect(read({ NODE_ENV: 'production' })).toMatchObject({ opsToken: '', opsTokenIsRandom: false });
  expect(read({ NODE_ENV: 'production', OPS_TOKEN: SECRET })).toMatchObject({ opsToken: SECRET, problems: [] });
});

it.each([
  ['promote:shell,restore , unfreeze, settings', ['promote', 'restore', 'unfreeze', 'settings'], /^$/],
  ['gate', ['gate'], /"gate" is none of/],
  ['restore:shell', ['restore'], /"restore:shell" is none of/],
  ['promote:../x', ['promote'], /none of/],
  ['promote:x/..', ['promote'], /none of/],
  ['promote:', ['promote'], /none of/],
  ['promote:shell:catalog', ['promote'], /none of/],
])('reads which acts need two people: %s', (text, acts, message) => {
  const { secondPerson, problems } = read({ OPS_SECOND_PERSON: text });
  expect(secondPerson.map(({ act }) => act)).toEqual(acts);
  expect(problems.join()).toMatch(message);
});

it.each([
  ['that are whole', rule({}), /^$/],
  ['that are no JSON', '{', /RELEASE_OIDC cannot be used/],
  ['with an issuer without TLS', '[{"issuer":"http://forge.example"}]', /each issuer is an https address/],
  ['with no audience', '[{"issuer":"https://forge.example"}]', /needs an audience/],
  ['with no rules', '[{"issuer":"https://forge.example","audience":"shop"}]', /needs rules/],
  ['with a branch without its prefix', rule({ ref: 'main' }), /a ref such as refs\/heads\/main/],
  ['with a role that there is not', rule({ role: 'root' }), /none of the roles/],
  ['with a squad without remotes', rule({ remotes: [] }), /needs the names/],
  ['with a squad without channels', rule({ channels: undefined }), /needs the channels/],
  ['with channels that are no list', rule({ channels: 'production' }), /channels is a list/],
])('reads forges %s', (_, text, message) => {
  expect(read({ RELEASE_OIDC: text }).problems.join()).toMatch(message);
});

function rule(given: object): string {
  const squad = { role: 'squad', remotes: ['catalog'], channels: ['production'] };
  const whole = { repository: 'acme/catalog', ref: 'refs/heads/main', ...squad, ...given };
  return JSON.stringify([{ issuer: 'https://forge.example', audience: 'shop', rules: [whole] }]);
}
