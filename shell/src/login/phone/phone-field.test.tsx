import { failWith } from '@shop/shared/testing';
import { screen, waitFor, within } from '@testing-library/react';
import { bodies, codeSent, endShell, login, openLogin, sendCode, token } from '../../testing/render-shell';
import { likelyCountry } from './country';
import { numberToSend, readPhone } from './phone';

afterEach(endShell);

const openEnglish = (api: Record<string, unknown> = {}) => openLogin(api, 'en');
/** By selector: the roles of two hundred elements take seconds. */
const options = () => [...screen.getByRole('listbox').querySelectorAll('[role=option]')];
const country = () => screen.getByRole('button', { name: /Country or region/ });

it('has a searchable list of countries for the keyboard', async () => {
  const { requests, user } = await openEnglish({ [sendCode]: codeSent });
  await user.click(country());
  const sheet = await screen.findByRole('dialog', { name: 'Country or region' });
  const search = within(sheet).getByRole('combobox');
  expect(search).toHaveFocus();
  const chosen = sheet.querySelector('[aria-selected=true]');
  expect(chosen).toHaveTextContent('United States+1');
  expect(search).toHaveAttribute('aria-activedescendant', chosen?.id);
  expect(options().length).toBeGreaterThan(200);
  for (const [word, name] of [
    ['germ', 'Germany+49'],
    ['+852', 'Hong Kong SAR China+852'],
    ['英国', 'United Kingdom+44'],
    ['cote', 'Côte d’Ivoire+225'],
  ] as const) {
    await user.clear(search);
    await user.type(search, word);
    const [first] = options();
    expect(first?.textContent).toBe(name);
    expect(search).toHaveAttribute('aria-activedescendant', first?.id);
  }
  await user.clear(search);
  await user.type(search, 'atlantis');
  expect(within(sheet).getByRole('status')).toHaveTextContent('No match');
  await user.keyboard('{Enter}');
  expect(sheet).toBeVisible();
  await user.clear(search);
  await user.type(search, 'united');
  await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Country or region' })).not.toBeInTheDocument());
  await waitFor(() => expect(country()).toHaveAccessibleName('Country or region: United Kingdom +44'));
  expect(country()).toHaveFocus();
  await user.type(screen.getByLabelText('Phone number'), '07400 123456');
  await user.click(screen.getByRole('button', { name: 'Send code' }));
  await waitFor(() => expect(bodies(requests, '/send_code')).toEqual([{ phone: '+447400123456', scene: 'login' }]));
});

it('offers the countries that the shop accepts', async () => {
  const { user } = await openEnglish({ 'GET /api/front/app/config': { phone_countries: ['CN', 'SG'] } });
  await user.click(country());
  await waitFor(() =>
    expect(options().map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^China.*\+86$/),
      'Singapore+65',
    ]),
  );
});

it('shows the country of a number that is typed with its code, also of the mainland', async () => {
  const { user } = await openEnglish();
  const phone = screen.getByLabelText('Phone number');
  await user.type(phone, '+852 5123 4567');
  await user.tab();
  await waitFor(() => expect(country()).toHaveAccessibleName(/\+852$/));
  await user.clear(phone);
  await user.type(phone, '13800138000');
  await user.tab();
  await waitFor(() => expect(country()).toHaveAccessibleName(/\+86$/));
});

it('refuses an invalid number of the country, and shows the server’s refusal at the field', async () => {
  const refused = failWith(40001, 'bad', { errors: { phone: 'Not this country' } });
  const { requests, user } = await openEnglish({ [sendCode]: refused });
  const phone = screen.getByLabelText('Phone number');
  await user.type(phone, '12345');
  await user.click(screen.getByRole('button', { name: 'Send code' }));
  await waitFor(() => expect(phone).toHaveAccessibleDescription('Check the phone number'));
  expect(phone).toHaveFocus();
  expect(bodies(requests, '/send_code')).toEqual([]);
  await user.clear(phone);
  await user.type(phone, '415 555 2671');
  await user.click(screen.getByRole('button', { name: 'Send code' }));
  await waitFor(() => expect(phone).toHaveAccessibleDescription('Not this country'));
});

it('sets a forgotten password by a code and signs in with it', async () => {
  const setPassword = 'POST /api/front/app/setPassword';
  const { requests, user } = await openEnglish({
    [sendCode]: codeSent,
    [setPassword]: { updated: true },
    [login]: token,
  });
  await user.click(screen.getByRole('tab', { name: 'Password' }));
  await user.click(screen.getByRole('button', { name: 'Forgot password?' }));
  await user.type(screen.getByLabelText('Phone number'), '4155552671');
  await user.click(screen.getByRole('button', { name: 'Send code' }));
  await waitFor(() => expect(bodies(requests, '/send_code')).toEqual([{ phone: '+14155552671', scene: 'password' }]));
  await user.type(screen.getByLabelText('Verification code'), '123456');
  await user.type(screen.getByLabelText('New password'), 'longenough');
  await user.click(screen.getByRole('button', { name: 'Set password and sign in' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(bodies(requests, '/setPassword')).toEqual([
    { phone: '+14155552671', verify: '123456', password: 'longenough' },
  ]);
  expect(bodies(requests, '/login')).toEqual([
    { phone: '+14155552671', login_type: 'password', password: 'longenough' },
  ]);
});

it.each([
  ['13800138000', 'CN', '13800138000', 'CN'],
  ['138 0013 8000', 'CN', '13800138000', 'CN'],
  ['+86 138-0013-8000', 'US', '13800138000', 'CN'],
  ['0086 13800138000', 'GB', '13800138000', 'CN'],
  ['(415) 555-2671', 'US', '+14155552671', 'US'],
  ['1 415 555 2671', 'US', '+14155552671', 'US'],
  ['07400 123456', 'GB', '+447400123456', 'GB'],
  ['+44 7400 123456', 'CN', '+447400123456', 'GB'],
  ['5123 4567', 'HK', '+85251234567', 'HK'],
  ['\u2068+86\u00a0138\u20110013\u20118000\u2069', 'US', '13800138000', 'CN'],
  ['86-138 0013 8000', 'CN', '13800138000', 'CN'],
  ['(86) 13800138000', 'US', '13800138000', 'CN'],
  ['+1\ufe0f 415 555 2671', 'CN', '+14155552671', 'US'],
  // A number of Chicago: the chosen country decides.
  ['13125550123', 'US', '+13125550123', 'US'],
  ['13125550123', 'CN', '13125550123', 'CN'],
  // Not a number of North America, so it is one of the mainland, typed by a user of the English shop.
  ['13800138000', 'US', '13800138000', 'CN'],
])('reads %j with %s chosen as %s', async (text, chosen, number, country) => {
  expect(await readPhone({ text, country: chosen })).toEqual({ number, country });
});

it.each([
  ['1380013800', 'CN'],
  ['4155552671', 'CN'],
  ['+86 10 6552 9988', 'US'],
  ['555', 'US'],
  ['800 555 0199', 'US'],
  ['abc', 'US'],
  ['', 'CN'],
])('finds no mobile number in %j with %s chosen', async (text, country) => {
  expect(await readPhone({ text, country })).toBeUndefined();
  expect(await numberToSend({ text, country })).toBe(text);
});

it.each([
  ['zh-CN', ['en-US'], 'CN'],
  ['en', ['en', 'en-GB', 'en-US'], 'GB'],
  ['en', ['zh-Hant-HK'], 'HK'],
  ['en', ['en'], 'US'],
])('the country that is chosen first in %s with a browser of %j is %s', (language, tags, country) => {
  expect(likelyCountry(language, tags)).toBe(country);
});
