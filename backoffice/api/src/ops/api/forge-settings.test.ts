import { Settings } from '@shop/server/platform/settings/settings';
import { parseForges } from './forge-settings';

it.each([
  ['that are whole', rule({}), /^$/],
  ['that are no JSON', '{', /RELEASE_OIDC cannot be used/],
  ['with an issuer without TLS', '[{"issuer":"http://forge.example"}]', /each issuer is an https address/],
  ['with no audience', '[{"issuer":"https://forge.example"}]', /needs an audience/],
  ['with no rules', '[{"issuer":"https://forge.example","audience":"shop"}]', /needs rules/],
  ['with a branch without its prefix', rule({ ref: 'main' }), /a ref such as refs\/heads\/main/],
  ['with a role that there is not', rule({ role: 'root' }), /not one of the roles/],
  ['with a squad without remotes', rule({ remotes: [] }), /needs the names/],
  ['with a squad without channels', rule({ channels: undefined }), /needs the channels/],
  ['with channels that are no list', rule({ channels: 'production' }), /channels is a list/],
])('parses forge settings %s', (_, text, message) => {
  const settings = new Settings({ RELEASE_OIDC: text });
  parseForges(settings);
  expect(settings.problems.join()).toMatch(message);
});

function rule(overrides: object): string {
  const squad = { role: 'squad', remotes: ['catalog'], channels: ['production'] };
  const whole = { repository: 'acme/catalog', ref: 'refs/heads/main', ...squad, ...overrides };
  return JSON.stringify([{ issuer: 'https://forge.example', audience: 'shop', rules: [whole] }]);
}
