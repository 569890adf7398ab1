import type { OpsHealth, OpsRelease, OpsState } from '@shop/backoffice/wire';
import { queryClient } from '@shop/shared/query';
import { act, screen, waitFor, within } from '@testing-library/react';
import { answers, openConsole, sent, stubCalls } from '../testing/console';

const healthy: OpsHealth = { visits: 100, failures: 1, share: 0.01, refused: 0, errors: [] };
const failing: OpsHealth = { ...healthy, failures: 20, share: 0.2 };
const catalog: OpsRelease = {
  name: 'catalog',
  version: '2.0.0',
  since: '2026-01-01T00:00:00Z',
  by: 'ann',
  commit: null,
  previous: '1.0.0',
  target: '1.0.0',
  canary: null,
  frozen: [],
  waiting: null,
  health: healthy,
  healthCanary: null,
  watched: null,
  placeAtGate: 0,
  may: ['promote', 'rollback', 'freeze', 'unfreeze', 'render-off', 'render-on'],
  published: [
    { version: '2.0.0', at: '2026-01-01T00:00:00Z', by: 'ann' },
    { version: '1.0.0', at: '2025-12-01T00:00:00Z', by: 'ann' },
  ],
};
const canary = { version: '3.0.0', traffic: 10 };
const change = { at: '2026-01-01T00:00:00Z', by: 'ann', action: 'promote' as const, name: 'catalog' };
const stateWith = (...releases: OpsRelease[]): OpsState => ({
  rev: 2,
  changed: null,
  mayRestore: true,
  shop: 'https://shop.example',
  bound: 0.05,
  events: [],
  failingWebhooks: [],
  releases,
  history: [
    { ...change, rev: 2, from: '1.0.0', to: '2.0.0', why: '<b>new</b>' },
    { ...change, rev: 1, from: null, to: '1.0.0', why: '' },
  ],
});

beforeEach(() => stubCalls('ops'));

async function open(next: OpsState) {
  answers['GET releases/state'] = next;
  const user = openConsole('releases');
  await screen.findByRole('heading', { name: 'Releases' });
  return user;
}
async function show(next: OpsState | { code: number }, isShown: () => unknown): Promise<void> {
  answers['GET releases/state'] = next;
  await act(() => queryClient.refetchQueries());
  await waitFor(isShown);
}
const actions = () =>
  sent.flatMap(({ call, body }) =>
    call.startsWith('POST') ? [{ call: call.replace('POST releases/', ''), body }] : [],
  );
const main = () => within(screen.getByRole('main'));
const card = (name = 'catalog') => screen.getByRole('article', { name });
const overview = () => screen.getByRole('region', { name: 'Overview' });
const button = (name: string | RegExp) => screen.getByRole('button', { name });
/** The live region of toasts is always there. */
const notice = () => {
  const [region] = screen.getAllByRole('status').filter(({ dataset }) => dataset.uiLive === undefined);
  if (!region) throw new Error('no notice is shown');
  return region;
};

it('the releases page shows releases, health, place at the gate and history without markup, and restores an earlier revision', async () => {
  const user = await open(stateWith({ ...catalog, commit: 'c'.repeat(40), health: { ...healthy, refused: 7 } }));
  within(card()).getByText(`commit ${'c'.repeat(12)}`);
  within(card()).getByText('requests blocked by policy in 7 visits');
  within(card()).getByText('healthy');
  within(card()).getByRole('region', { name: 'live: catalog@2.0.0' });
  within(card()).getByText('1.0 % of 100 visits failed');
  expect(screen.getByRole('listitem', { name: '2' })).toHaveTextContent('<b>new</b>');
  screen.getByText('Revision 2');
  await user.click(button('Restore the whole map to revision 1'));
  expect(actions()).toMatchObject([{ call: 'restore', body: { rev: 1 } }]);
  await show(stateWith({ ...catalog, placeAtGate: 1 }), () => within(card()).getByText('checking'));
  await show(stateWith({ ...catalog, placeAtGate: 2 }), () => within(card()).getByText('waiting for the gate'));
});

it('the releases page shows failing releases first, with their error and button at the top', async () => {
  const watched = {
    verdict: 'bad',
    why: '20.0 % of 100 visits failed with 2.0.0 (en)',
    next: null,
    undecided: null,
  } as const;
  const wallet = { ...catalog, name: 'wallet', health: failing };
  await open(stateWith(catalog, { ...catalog, name: 'orders', watched }, wallet));
  const names = () => screen.getAllByRole('article').map((article) => article.getAttribute('aria-label'));
  expect(names()).toEqual(['orders', 'wallet', 'catalog']);
  const parts = (name: string) => [...card(name).children].slice(0, 3).map((part) => part.textContent);
  expect(parts('orders')).toEqual(['ordersfailing', watched.why, 'Roll back to 1.0.0']);
  expect(parts('wallet')).toEqual(['walletfailing', '20.0 % of 100 visits failed', 'Roll back to 1.0.0']);
  await show(stateWith(catalog, wallet), () => expect(names()).toEqual(['wallet', 'catalog']));
});

describe('the overview', () => {
  it('the overview reports that all is well and the last change, and rolls that change back with one button, but no rollback', async () => {
    const user = await open(stateWith(catalog));
    expect(overview()).toHaveTextContent(
      /^Problems nowNo known problems\.Last changePromoted catalog.*ann · <b>new<\/b>/,
    );
    await user.click(within(overview()).getByRole('button', { name: 'Roll catalog back to 1.0.0' }));
    expect(actions()).toMatchObject([{ call: 'rollback', body: { name: 'catalog', to: '1.0.0' } }]);
    expect(within(overview()).getAllByRole('button')).toHaveLength(1);
    const history = stateWith().history.map((revision) => ({ ...revision, action: 'rollback' as const }));
    const hasNone = () => expect(within(overview()).queryByRole('button')).toBeNull();
    await show({ ...stateWith(catalog), history }, hasNone);
  });

  const [lastChange, ...earlier] = stateWith().history as [OpsState['history'][number]];

  it.each<[string, OpsState, string, object]>([
    [
      'rolls back a failing release, not the last change',
      stateWith(catalog, { ...catalog, name: 'orders', health: failing, target: '0.9.0' }),
      'Roll orders back to 0.9.0',
      { call: 'rollback', body: { name: 'orders', to: '0.9.0' } },
    ],
    [
      'ends a failing canary',
      stateWith({ ...catalog, canary, healthCanary: failing }),
      'End the canary of catalog',
      { call: 'rollback', body: { name: 'catalog' } },
    ],
    [
      'restores the release map after several releases were promoted together',
      { ...stateWith(catalog), history: [{ ...lastChange, name: '*' }, ...earlier] },
      'Restore the whole map to revision 1',
      { call: 'restore', body: { rev: 1 } },
    ],
  ])('the button of the overview %s', async (_, now, name, call) => {
    const user = await open(now);
    await user.click(within(overview()).getByRole('button', { name }));
    expect(actions()).toMatchObject([call]);
  });
});

it('a rollback goes to the version that the button names, a refusal shows its reason until it is closed, and a user may insist on a worse release', async () => {
  const user = await open(stateWith(catalog));
  answers['POST releases/rollback'] = { code: 409, error: { message: 'frozen by ben' } };
  await user.click(button('Roll back to 1.0.0'));
  expect(notice()).toHaveTextContent('frozen by ben');
  await user.click(button('Close'));
  expect(notice()).toBeEmptyDOMElement();
  const message = 'singletons (shell@2: react ^19 is needed, 20 is offered)';
  answers['POST releases/rollback'] = { code: 409, error: { message, canInsist: true } };
  await user.click(button('Roll back to 1.0.0'));
  expect(notice()).toHaveTextContent(message);
  answers['POST releases/rollback'] = { outcome: 'rolled back', from: '2.0.0', to: '1.0.0' };
  await user.click(button('Roll back anyway'));
  expect(notice()).toHaveTextContent('Rolled back catalog · 2.0.0 → 1.0.0');
  const body = { name: 'catalog', from: '2.0.0', to: '1.0.0', why: 'clicked at /ops' };
  expect(actions().map((action) => action.call)).toEqual(Array(3).fill('rollback'));
  expect(actions().map((action) => action.body)).toEqual([body, body, { ...body, anyway: true }]);
});

it('a viewer of the releases page sees no button', async () => {
  const frozen = [{ version: null, by: 'ann', why: 'errors' }];
  const whole = { ...catalog, frozen, renderingOff: { by: 'ann', at: '', why: 'wrong prices' } };
  const withCanary = { ...whole, name: 'orders', canary };
  await open(stateWith(whole, withCanary));
  expect(main().getAllByRole('button').length).toBeGreaterThan(10);
  const looked = { ...stateWith({ ...whole, may: [] }, { ...withCanary, may: [] }), mayRestore: false };
  await show(looked, () => expect(main().queryByRole('button')).toBeNull());
  within(card()).getByText('Frozen altogether by ann: errors');
  const may: OpsRelease['may'] = ['promote', 'rollback', 'render-off', 'render-on'];
  await show(stateWith({ ...catalog, may }), () => button('Roll back to 1.0.0'));
  expect(screen.queryByRole('button', { name: 'Freeze promotes', hidden: true })).toBeNull();
});

it('a canary can be raised and ended', async () => {
  const user = await open(stateWith({ ...catalog, canary, healthCanary: failing }));
  within(card()).getByText('canary failing');
  await user.click(button('Raise the canary of catalog to 50% of visitors'));
  await user.click(button('End the canary'));
  expect(actions()).toMatchObject([
    { call: 'promote', body: { name: 'catalog', version: '3.0.0', traffic: 50 } },
    { call: 'rollback', body: { name: 'catalog' } },
  ]);
});

it('a canary shows its stage, the next one and what holds it back, or what it waits for without a plan', async () => {
  const raised = { ...catalog, canary: { version: '3.0.0', traffic: 25, steps: [10, 25, 100] }, healthCanary: healthy };
  const next = { traffic: 100, waitsFor: '4 more minutes' };
  await open(stateWith({ ...raised, watched: { verdict: 'well', why: null, next, undecided: null } }));
  within(card()).getByText('Raised automatically: 10, [25], 100%. Next: 100%. Still needed: 4 more minutes.');
  const why = '12.0 % of 50 visits failed';
  await show(stateWith({ ...raised, watched: { verdict: 'alert', why, next, undecided: null } }), () =>
    within(card()).getByText(why),
  );
  within(card()).getByText('Raised automatically: 10, [25], 100%. Stays at 25% until this clears.');
  const undecided = 'about 35 more minutes at the present traffic';
  const watched = { verdict: 'well', why: null, next: null, undecided } as const;
  await show(stateWith({ ...catalog, canary, healthCanary: healthy, watched }), () =>
    within(card()).getByText(`Undecided. Still needed: ${undecided}.`),
  );
});

it('the releases page shows the events of the watcher, and when the database is away', async () => {
  const event = {
    id: 'production:3',
    who: 'watcher',
    at: '',
    channel: 'production',
    name: 'catalog',
    version: '3.0.0',
  };
  const why = 'all of <b>English</b> failed';
  const evidence = { group: 'en', expected: 40 };
  await open({ ...stateWith(catalog), events: [{ ...event, kind: 'rollback', why, evidence }] });
  const watcher = screen.getByRole('region', { name: 'The watcher' });
  within(watcher).getByText('The watcher rolled back and froze catalog');
  within(watcher).getByText(why);
  await show({ ...stateWith({ ...catalog, health: null }), events: null }, () =>
    screen.getByText(/^The database isn’t responding: health is unknown/),
  );
  within(card()).getByText('health unknown');
  expect(button('Roll back to 1.0.0')).toBeEnabled();
});

it('the releases page names a failing webhook below the overview, with reason and time, until it accepts messages again', async () => {
  const fault = { place: 2, messages: 3, since: '2026-01-01T00:00:00Z', error: 'HTTP 503' };
  await open({ ...stateWith(catalog), failingWebhooks: [fault] });
  expect(screen.getByRole('main').querySelector('section, .fault')).toBe(overview());
  screen.getByText(/^Webhook 2 of RELEASE_WEBHOOK_URL has failed to receive 3 messages since .+: HTTP 503\.$/);
  await show(stateWith(catalog), () => expect(screen.queryByText(/^Webhook/)).toBeNull());
});

it('a state change keeps the focus, the open section and the selection', async () => {
  const user = await open(stateWith(catalog));
  await user.click(screen.getByText('Another release, or a canary'));
  const list = screen.getByRole('combobox', { name: 'Published releases of catalog' });
  await user.selectOptions(list, '1.0.0');
  button('Roll back to 1.0.0').focus();
  const newest = { version: '3.0.0', at: '2026-02-01T00:00:00Z', by: 'ben' };
  const published = [newest, ...catalog.published];
  await show(stateWith({ ...catalog, by: 'ben', waiting: '3.0.0', published }), () =>
    within(card()).getByText(/by ben$/),
  );
  expect(button('Roll back to 1.0.0')).toHaveFocus();
  expect(list.closest('details')).toHaveAttribute('open');
  expect(list).toHaveValue('1.0.0');
});

describe('a promote with browser checks', () => {
  async function* inOrder(lines: Array<object | Promise<object>>) {
    yield* lines;
  }
  const promoteCanary = async (lines?: object[]) => {
    const user = await open(stateWith({ ...catalog, canary }));
    const waiting: Array<(line: object) => void> = [];
    const pending = Array.from({ length: 5 }, () => new Promise<object>((resolve) => waiting.push(resolve)));
    answers['POST releases/promote'] = { lines: inOrder(lines ?? pending) };
    await user.click(button('Release to everyone'));
    const say = (line: object) => act(async () => waiting.shift()?.(line));
    return say;
  };

  it('a promote shows the progress of the gate, and then that the release is live', async () => {
    const say = await promoteCanary();
    expect(notice()).toHaveTextContent('Working');
    await say({ check: { check: 'size', outcome: 'passed', detail: '80 kB' } });
    expect(notice()).toHaveTextContent('catalog: size passed: 80 kB');
    await say({ say: '20 of 28 visits made' });
    expect(notice()).toHaveTextContent('catalog: 20 of 28 visits made');
    expect(within(notice()).getAllByRole('listitem', { hidden: true })).toHaveLength(2);
    await say({ result: { outcome: 'promoted', version: '3.0.0', traffic: 100 } });
    expect(notice()).toHaveTextContent('Promoted catalog · 3.0.0 · 100 %');
  });

  it('a promote reports that the connection ended if the stream ends before its result', async () => {
    await promoteCanary([{ say: 'checking' }]);
    expect(notice()).toHaveTextContent('The connection was lost. Check the history to see whether it was done.');
  });
});

it('the releases page reports that the server does not answer, until it answers again', async () => {
  await open(stateWith(catalog));
  await show({ code: 500 }, () => screen.getByText('The server isn’t responding. This page may be out of date.'));
  expect(card()).toBeInTheDocument();
  await show(stateWith(catalog), () => expect(screen.queryByText(/^The server isn’t responding/)).toBeNull());
});

it('a release links to a preview in the shop, and its server rendering can be turned off and on again', async () => {
  const user = await open(stateWith(catalog));
  await user.click(screen.getByText('Another release, or a canary'));
  const preview = within(card()).getByRole('link', { name: 'Preview' });
  expect(preview).toHaveAttribute('href', 'https://shop.example/home?release=catalog@2.0.0');
  await user.click(button('Stop rendering'));
  expect(actions().at(-1)).toEqual({ call: 'render-off', body: { name: 'catalog', why: 'clicked at /ops' } });
  await show(stateWith({ ...catalog, renderingOff: { at: '', by: 'ann', why: 'wrong prices' } }), () =>
    within(card()).getByText('Server rendering stopped by ann: wrong prices'),
  );
  await user.click(button('Resume rendering'));
  expect(actions().at(-1)).toMatchObject({ call: 'render-on', body: { name: 'catalog' } });
});

it('errors have their source position, or the position in the file without a source map; the overview shows the first', async () => {
  const errors = [
    { kind: 'error' as const, at: 'goods.3f9c2ab1.js:1:2345', visits: 12, source: './src/goods/price.tsx:12:5' },
    { kind: 'rejection' as const, at: 'main.3f9c2ab1.js:1:7', visits: 2 },
    { kind: 'freeze' as const, at: '', visits: 1 },
  ];
  await open(stateWith({ ...catalog, health: { ...failing, errors } }));
  const list = within(card()).getByRole('list', { name: 'live, failures by cause and place' });
  expect([...list.children].map((item) => item.textContent)).toEqual([
    'error: 12 visits ./src/goods/price.tsx:12:5',
    'unhandled promise: 2 visits main.3f9c2ab1.js:1:7',
    'froze: 1 visit ',
  ]);
  const [, ...examples] = within(overview()).getByText(/^catalog: 20\.0 %/).childNodes;
  expect(examples.map(({ textContent }) => textContent)).toEqual([
    'For example, error: 12 visits ./src/goods/price.tsx:12:5',
  ]);
});
