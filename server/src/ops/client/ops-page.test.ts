/** @jest-environment jsdom */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { getByRole, getByText, queryByRole, waitFor } from '@testing-library/dom';
import type { OpsAction, OpsDecision, OpsRelease, OpsState, PromoteJob } from '../ops-state';
import { startOpsPage } from './ops-page';

const html = readFileSync(path.join(__dirname, '../ops.html'), 'utf8').replace('data-state=""', 'data-state="in"');

const healthy = {
  visits: 100,
  failures: 1,
  share: 0.01,
  series: [null, 0.01],
  vitals: { LCP: 1800 },
  refused: 0,
  segments: [{ group: 'en' as const, visits: 10, failures: 1 }],
};
const catalog: OpsRelease = {
  name: 'catalog',
  version: '2.0.0',
  since: '2026-01-01T00:00:00Z',
  by: 'ann',
  previous: '1.0.0',
  target: '1.0.0',
  canary: null,
  frozen: [],
  rendering: [],
  waiting: null,
  health: healthy,
  healthBefore: null,
  healthCanary: null,
  watched: null,
  checking: null,
  may: ['promote', 'rollback', 'freeze', 'unfreeze', 'render-off', 'render-on'],
  published: [
    { version: '2.0.0', at: '2026-01-01T00:00:00Z', by: 'ann' },
    { version: '1.0.0', at: '2025-12-01T00:00:00Z', by: 'ann' },
  ],
};
const stateWith = (...releases: OpsRelease[]): OpsState => ({
  channel: 'production',
  rev: 2,
  changed: null,
  you: 'Ann (ops)',
  mayRestore: true,
  provenance: 'off',
  proposals: [],
  bound: 0.05,
  events: [],
  failingWebhooks: [],
  releases,
  history: [
    { rev: 2, at: '', by: 'ann', action: 'promote', name: 'catalog', from: '1.0.0', to: '2.0.0', why: '<b>new</b>' },
    { rev: 1, at: '', by: 'ann', action: 'promote', name: 'catalog', from: null, to: '1.0.0', why: '' },
  ],
});

let state: OpsState | 'signed-out' | 'down';
let answer: { status: number; message: string; proposed?: boolean; id?: number; canSkipBrowser?: boolean };
let jobs: PromoteJob[];
let sent: Array<OpsAction | OpsDecision>;
let left: string[];

beforeAll(() => {
  document.documentElement.innerHTML = html.replace(/<script.*<\/script>/, '');
  document.body.dataset.state = 'in';
});
beforeEach(() => {
  answer = { status: 200, message: 'done' };
  sent = [];
  left = [];
  global.fetch = jest.fn(async (url, init) => {
    if (url === '/ops/act') {
      sent.push(JSON.parse(String(init?.body)));
      return { ok: answer.status < 300, status: answer.status, json: async () => answer };
    }
    if (init?.method === 'DELETE') left.push(String(url));
    else if (String(url).startsWith('/ops/jobs/')) {
      const job = jobs.shift();
      return { ok: job !== undefined, status: job ? 200 : 404, json: async () => job };
    }
    if (state === 'down') throw new TypeError('no connection');
    return { ok: true, status: 200, json: async () => JSON.parse(JSON.stringify(state)) };
  }) as jest.Mock;
});

/** Lets the page take over a new state, as its poll does. */
async function show(next: OpsState | 'down'): Promise<void> {
  state = next;
  document.dispatchEvent(new Event('visibilitychange'));
  await new Promise((resolve) => setTimeout(resolve, 20));
}
const card = () => getByRole(document.body, 'article', { name: 'catalog' });
const press = (name: string | RegExp) => getByRole(document.body, 'button', { name }).click();

it('shows the releases with their health and the history, and never reads text as markup', async () => {
  state = stateWith(catalog);
  startOpsPage();
  await waitFor(() => card());
  getByText(card(), 'healthy');
  getByRole(card(), 'region', { name: 'live: catalog@2.0.0' });
  getByRole(card(), 'img', { name: 'LCP 1.8 s, good' });
  const segments = getByRole(card(), 'list', { name: /^live, failures by segment/ });
  expect(segments.textContent).toBe('en10.0 % of 10');
  getByRole(document.body, 'cell', { name: '<b>new</b>' });
  expect(document.getElementById('revision')?.textContent).toBe('production, revision 2');
});

it('rolls back to the version that the button names, and offers to undo that', async () => {
  await show(stateWith(catalog));
  press('Roll back to 1.0.0');
  await waitFor(() => getByRole(document.body, 'status'));
  await waitFor(() => getByRole(document.body, 'button', { name: 'Undo' }));
  press('Undo');
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent).toEqual([
    { action: 'rollback', name: 'catalog', version: '1.0.0', why: 'pressed at /ops' },
    { action: 'promote', name: 'catalog', version: '2.0.0', why: 'undo at /ops' },
  ]);
});

it('says who is signed in, and offers a viewer nothing to press', async () => {
  const canary = { version: '3.0.0', traffic: 10 };
  const frozen = [{ version: null, by: 'ann', why: 'errors', at: '' }];
  const renderingOff = { by: 'ann', at: '', why: 'wrong prices' };
  const whole = { ...catalog, frozen, renderingOff } as OpsRelease;
  const buttons = () => document.querySelectorAll('#releases :is(button, select), #history button').length;
  await show(stateWith(whole, { ...whole, name: 'orders', canary }));
  expect(buttons()).toBeGreaterThan(10);
  const looked = stateWith({ ...whole, may: [] }, { ...whole, name: 'orders', canary, may: [] });
  await show({ ...looked, you: 'Vic (viewer)', mayRestore: false });
  expect(buttons()).toBe(0);
  getByText(document.body, 'Vic (viewer)');
  getByText(card(), /^Frozen altogether/);
  await show(stateWith({ ...catalog, may: ['promote', 'rollback', 'render-off', 'render-on'] }));
  getByRole(card(), 'button', { name: 'Roll back to 1.0.0' });
  expect(queryByRole(card(), 'button', { name: 'Freeze promotes', hidden: true })).toBeNull();
});

it('shows what waits for a second person, who can confirm or decline it; who has agreed can only decline', async () => {
  const proposal = {
    ...{ id: '1-a', what: 'promote shell@2.0.0 for everybody', why: 'new bar', by: 'Ann (ops)', at: '' },
    ...{ agreed: ['Ann (ops)'], mayDecide: true, mayConfirm: true },
  };
  const region = () => getByRole(document.body, 'region', { name: 'Waiting for a second person' });
  await show(stateWith(catalog));
  expect(queryByRole(document.body, 'region', { name: 'Waiting for a second person' })).toBeNull();
  const own = { ...proposal, id: '2-b', what: 'unfreeze orders', why: '', mayConfirm: false };
  await show({ ...stateWith(catalog), proposals: [proposal, own] });
  getByText(region(), /by Ann \(ops\): new bar/);
  press('Confirm: promote shell@2.0.0 for everybody');
  press('Decline: unfreeze orders');
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent).toMatchObject([
    { action: 'confirm', proposal: '1-a' },
    { action: 'decline', proposal: '2-b' },
  ]);
  expect(queryByRole(region(), 'button', { name: 'Confirm: unfreeze orders' })).toBeNull();
  answer = { status: 200, message: 'It is proposed', proposed: true };
  press('Roll back to 1.0.0');
  await waitFor(() => getByText(document.body, 'It is proposed'));
  expect(queryByRole(document.body, 'button', { name: 'Undo' })).toBeNull();
});

it('shows in how many visits the policy refused a request', async () => {
  await show(stateWith({ ...catalog, health: { ...healthy, refused: 7 } }));
  getByText(card(), 'the policy refused requests in 7 visits');
});

it('raises a canary and abandons it', async () => {
  const failing = { ...healthy, failures: 20, share: 0.2 };
  await show(stateWith({ ...catalog, canary: { version: '3.0.0', traffic: 10 }, healthCanary: failing }));
  getByText(card(), 'canary fails');
  press('Give the canary of catalog 50 % of the visitors');
  press('Abandon it');
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent).toMatchObject([
    { action: 'promote', name: 'catalog', version: '3.0.0', traffic: 50 },
    { action: 'rollback', name: 'catalog' },
  ]);
});

it('shows the step of a canary, the next one and what keeps it', async () => {
  const canary = { version: '3.0.0', traffic: 25, steps: [10, 25, 100] };
  const next = { traffic: 100, waitsFor: '4 more minutes' };
  await show(
    stateWith({
      ...catalog,
      canary,
      healthCanary: healthy,
      watched: { kind: 'canary', verdict: 'well', why: null, next },
    }),
  );
  getByText(card(), 'Raised by itself: 10, [25], 100 %. Next 100 % after 4 more minutes.');
  const watched = { kind: 'canary', verdict: 'alert', why: '12.0 % of 50 visits failed', next } as const;
  await show(stateWith({ ...catalog, canary, healthCanary: healthy, watched }));
  getByText(card(), '12.0 % of 50 visits failed');
  getByText(card(), 'Raised by itself: 10, [25], 100 %. It stays at 25 % while this holds.');
});

it('shows what the watcher did, with the evidence, and when the database is away', async () => {
  const event = {
    id: 'production:3',
    who: 'watcher',
    at: '2026-01-01T00:00:00Z',
    channel: 'production',
    name: 'catalog',
    version: '3.0.0',
  };
  const evidence = { group: 'en', expected: 40 };
  await show({
    ...stateWith(catalog),
    events: [{ ...event, kind: 'rollback', why: 'all of <b>English</b> failed', evidence }],
  });
  const events = document.getElementById('events') as HTMLElement;
  getByText(events, 'The watcher rolled back and froze catalog');
  getByText(events, 'all of <b>English</b> failed');
  expect(events.querySelector('dl')?.textContent).toBe('groupenexpected40');
  await show({ ...stateWith(catalog), events: null });
  getByText(events, /^The database does not answer/);
});

it('says which webhook takes nothing, why and since when, until it takes messages again', async () => {
  const banner = document.getElementById('webhooks') as HTMLElement;
  const fault = { place: 2, messages: 3, since: '2026-01-01T00:00:00Z', error: 'HTTP 503' };
  await show({ ...stateWith(catalog), failingWebhooks: [fault] });
  expect(banner.hidden).toBe(false);
  expect(banner.textContent).toMatch(
    /^Webhook 2 of RELEASE_WEBHOOK_URL has not taken 3 messages since .+: HTTP 503\.$/,
  );
  await show(stateWith(catalog));
  expect(banner.hidden).toBe(true);
});

it('puts the whole map back to an earlier revision', async () => {
  await show(stateWith(catalog));
  press('Put the whole map back to revision 1');
  await waitFor(() => expect(sent).toMatchObject([{ action: 'restore', rev: 1 }]));
});

it('keeps focus, the open part and what was chosen when a card is drawn again', async () => {
  await show(stateWith(catalog));
  const part = card().querySelector('details') as HTMLDetailsElement;
  part.open = true;
  const list = getByRole<HTMLSelectElement>(card(), 'combobox', { name: 'Published releases of catalog' });
  list.value = '1.0.0';
  list.dispatchEvent(new Event('change', { bubbles: true }));
  getByRole(card(), 'button', { name: 'Roll back to 1.0.0' }).focus();
  const before = card();
  await show(stateWith({ ...catalog, by: 'ben' }));
  expect(card()).not.toBe(before);
  expect(document.activeElement).toBe(getByRole(card(), 'button', { name: 'Roll back to 1.0.0' }));
  expect(card().querySelector('details')?.open).toBe(true);
  expect(getByRole<HTMLSelectElement>(card(), 'combobox', { name: /^Published/ }).value).toBe('1.0.0');
});

it('does not draw a card again while somebody chooses from its list', async () => {
  await show(stateWith(catalog));
  const before = card();
  getByRole(before, 'combobox', { name: /^Published/ }).focus();
  await show(stateWith({ ...catalog, by: 'cem' }));
  expect(card()).toBe(before);
  (document.activeElement as HTMLElement).blur();
  await show(stateWith({ ...catalog, by: 'cem' }));
  expect(card()).not.toBe(before);
});

describe('a promote that the gate checks in a browser', () => {
  const job = (more: Partial<PromoteJob>): PromoteJob => ({
    id: 7,
    name: 'catalog',
    version: '3.0.0',
    by: 'Ann (ops)',
    state: 'running',
    place: 1,
    message: 'catalog: 20 of 28 visits made',
    canSkipBrowser: false,
    ...more,
  });
  const promoteCanary = async () => {
    await show(stateWith({ ...catalog, canary: { version: '3.0.0', traffic: 10 } }));
    press('Finish for everybody');
  };

  it('shows how far it is, and then that it is live', async () => {
    answer = { status: 202, message: 'catalog@3.0.0 is being checked', id: 7 };
    jobs = [job({}), job({ state: 'done', message: 'catalog@3.0.0 is live for everybody' })];
    await promoteCanary();
    await waitFor(() => getByText(document.body, 'catalog@3.0.0 is being checked'));
    expect(document.body.dataset.busy).toBeUndefined();
    await waitFor(() => getByText(document.body, 'catalog: 20 of 28 visits made'), { timeout: 3_000 });
    await waitFor(() => getByText(document.body, 'catalog@3.0.0 is live for everybody'), { timeout: 3_000 });
    getByRole(document.body, 'button', { name: 'Undo' });
  });

  it('takes a reason for leaving the checks out when only they failed', async () => {
    answer = { status: 409, message: 'no browser was found', canSkipBrowser: true };
    await promoteCanary();
    const field = await waitFor(() =>
      getByRole<HTMLInputElement>(document.body, 'textbox', { name: /^Reason for leaving out/ }),
    );
    field.value = 'the browser machine is down';
    answer = { status: 200, message: 'catalog@3.0.0 is live for everybody' };
    press('Promote without them');
    await waitFor(() => getByText(document.body, 'catalog@3.0.0 is live for everybody'));
    expect(sent.at(-1)).toMatchObject({
      action: 'promote',
      version: '3.0.0',
      skipBrowser: 'the browser machine is down',
    });
  });

  it('says the place in line, and leaves the queue', async () => {
    answer = { status: 202, message: 'catalog: waiting for the gate, 2nd in line', id: 7 };
    jobs = [
      job({ place: 2, message: 'catalog: waiting for the gate, 2nd in line' }),
      job({ state: 'refused', message: 'it left the queue for the gate; nothing was done' }),
    ];
    await promoteCanary();
    await waitFor(() => press('Leave the queue'), { timeout: 3_000 });
    await waitFor(() => getByText(document.body, /^it left the queue/), { timeout: 3_000 });
    expect(left).toEqual(['/ops/jobs/7']);
  });

  it.each([
    [1, 'being checked'],
    [2, 'waits for the gate'],
  ])('says on the card of a release that is at place %i in line: %s', async (place, text) => {
    await show(stateWith({ ...catalog, checking: job({ place }) }));
    getByText(card(), text);
  });
});

it('removes the card of a release that is gone', async () => {
  await show(stateWith());
  expect(queryByRole(document.body, 'article', { name: 'catalog' })).toBeNull();
});

it('shows the reason of a refusal, without an undo', async () => {
  await show(stateWith(catalog));
  answer = { status: 409, message: 'frozen by ben' };
  press('Roll back to 1.0.0');
  await waitFor(() => getByText(document.body, 'frozen by ben'));
  expect(queryByRole(document.body, 'button', { name: 'Undo' })).toBeNull();
});

it('says that the server does not answer, until it answers again', async () => {
  await show('down');
  expect(document.getElementById('lost')?.hidden).toBe(false);
  expect(document.getElementById('pulse')?.textContent).toBe('no answer');
  await show(stateWith(catalog));
  expect(document.getElementById('lost')?.hidden).toBe(true);
});

it('shows what the server rendered and could not render of a release, stops it, and starts it again', async () => {
  const counts = { name: 'catalog', version: '2.0.0', pages: 40, seconds: 0.4, detail: 'Error: price' };
  await show(stateWith({ ...catalog, rendering: [{ ...counts, failures: { threw: 2, paused: 1 } }] }));
  const list = getByRole(document.body, 'list', { name: 'Pages of catalog that this server rendered' });
  expect(list.textContent).toBe('rendered 2.0.040 pages, 10 ms each; not: threw 2, paused 1');
  getByText(document.body, 'Stop rendering').click();
  await waitFor(() => expect(sent).toEqual([{ action: 'render-off', name: 'catalog', why: 'stopped at /ops' }]));
  await show(stateWith({ ...catalog, renderingOff: { by: 'ann', why: 'wrong prices' } }));
  getByText(document.body, 'Not rendered on the server, by ann: wrong prices');
  getByText(document.body, 'Render again').click();
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ action: 'render-on', name: 'catalog' }));
});

it('shows who has signed the live release, its commit and the number of its packages', async () => {
  const attestation = { signedBy: 'catalog CI', commit: 'c'.repeat(40), packages: 12, faults: [] };
  await show(stateWith({ ...catalog, attestation }));
  getByText(card(), `signed by catalog CI, commit ${'c'.repeat(12)}, 12 packages`);
  await show(stateWith({ ...catalog, attestation: { ...attestation, signedBy: null, packages: 1 } }));
  getByText(card(), `no valid signature, commit ${'c'.repeat(12)}, 1 package`);
});
