import { Settings } from '@shop/server/platform/settings/settings';
import { parseForges } from './forge-settings';

it.each([
  ['that are whole', rule({}), /^$/],
  ['that are no JSON', '{', /RELEASE_OIDC cannot be used/],
  ['with an issuer without TLS', rule({}).replace('https', 'http'), /each issuer is an https address/],
  ['with a branch without its prefix', rule({ ref: 'main' }), /\/0\/rules\/0\/ref must match pattern/],
  ['with a squad without remotes', rule({ remotes: [] }), /needs the names/],
])('parses forge settings %s', (_, text, message) => {
  const settings = new Settings({ RELEASE_OIDC: text });
  parseForges(settings);
  expect(settings.problems.join()).toMatch(message);
});

function rule(overrides: object): string {
  const squad = { role: 'squad', remotes: ['catalog'] };
  const whole = { repository: 'acme/catalog', ref: 'refs/heads/main', ...squad, ...overrides };
  return JSON.stringify([{ issuer: 'https://forge.example', audience: 'shop', rules: [whole] }]);
}
