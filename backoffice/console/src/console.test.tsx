import type { Queue, QueueOrder } from '@shop/backoffice/wire';
import { queryClient } from '@shop/shared/query';
import { act, screen, within } from '@testing-library/react';
import { answers, hostile, newShopper, openConsole, posts, sent, stubCalls } from './testing/console';

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const order = (order_no: string, more: Partial<QueueOrder> = {}): QueueOrder => ({
  order_no,
  kind: 'deliver',
  name: hostile,
  face_value: '1 month',
  quantity: 1,
  amount: '28.00',
  currency: 'CNY',
  recharge_type: 4,
  delivered: false,
  paid_at: inMinutes(-10),
  due_at: inMinutes(20),
  refund_reason: '',
  takes_codes: true,
  fields: [{ key: 'uid', label: hostile, value: 'pl••••ne' }],
  taken: null,
  supplier: null,
  disputed: false,
  held: null,
  question: null,
  codes_shown: 0,
  ...more,
});

const claim = { by: 'Ann', mine: true, until: inMinutes(15) };

const queue = (...orders: QueueOrder[]): Queue => ({ server_time: new Date().toISOString(), orders });

beforeEach(async () => {
  await stubCalls('manager');
  answers['POST queue/take'] = { until: inMinutes(15) };
  answers['POST queue/give-back'] = { done: true };
  Element.prototype.scrollIntoView = () => {};
});

const claimed = queue(order('A', { taken: claim }));
const calls = () => sent.map((request) => request.call).filter((call) => !call.startsWith('GET'));

it('the console asks for name, password and code without a session and after its end, shows why it refuses, and forgets its data', async () => {
  answers['GET session'] = { code: 401 };
  answers['POST session'] = { code: 46001, message: 'Wrong name, password or code' };
  const user = openConsole();
  await user.type(await screen.findByLabelText('Name'), 'Ann');
  expect(screen.queryByRole('link')).toBeNull();
  await user.type(screen.getByLabelText('Password'), 'secret');
  await user.type(screen.getByLabelText('Code'), '123 456');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Wrong name, password or code');
  expect(sent.at(-1)?.body).toEqual({ name: 'Ann', password: 'secret', code: '123456' });
  expect(screen.getByLabelText('Code')).toHaveValue('');
  answers['POST session'] = { name: 'Ann', role: 'seller', time_zone: 'UTC' };
  answers['GET queue'] = queue();
  await user.type(screen.getByLabelText('Code'), '654321');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByText('All caught up')).toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'People' })).toBeNull();
  answers['GET queue'] = { code: 401 };
  await act(() => queryClient.refetchQueries());
  expect(await screen.findByRole('heading', { name: 'Sign in to the staff console' })).toBeInTheDocument();
  expect(queryClient.getQueryCache().getAll()).toEqual([]);
});

it('an order on hold shows its reasons, and one click releases or refunds it, claimed or not', async () => {
  const onHold: Partial<QueueOrder> = { kind: 'held', held: ['amount', 'new-account'] };
  answers['GET queue'] = queue(order('H1', onHold), order('H2', onHold));
  const user = openConsole('queue/H1');
  expect(await screen.findByText(/Held before delivery for a check: a large amount · a new account/)).toBeVisible();
  answers['POST holds/release'] = { done: true };
  await user.click(screen.getByRole('button', { name: 'Release' }));
  expect(posts('holds/release')[0]).toEqual({ order_no: 'H1' });
  expect(await screen.findByRole('link', { name: 'H2' })).toBeVisible();
  answers['POST holds/refund'] = { state: 'second', amount: '28.00', currency: 'CNY' };
  await user.click(screen.getByRole('button', { name: 'Refund in full' }));
  const key = expect.stringMatching(/^[\w-]{36}$/);
  expect(posts('holds/refund')[0]).toEqual({ order_no: 'H2', key });
});

it('typing extends the session, once a minute', async () => {
  const clock = jest.spyOn(Date, 'now');
  const user = openConsole('account');
  await screen.findByRole('heading', { name: 'My account' });
  const reports = () => sent.filter(({ call, watch }) => call === 'GET session' && !watch).length;
  const before = reports();
  const start = Date.now();
  for (const [seconds, expected] of [
    [30, 0],
    [61, 1],
    [90, 1],
    [122, 2],
  ] as const) {
    clock.mockReturnValue(start + seconds * 1000);
    await user.type(screen.getByLabelText('Current password'), 'a');
    expect(reports() - before).toBe(expected);
  }
  clock.mockRestore();
});

it('the queue works by keyboard, shows hostile texts as text, and extends the session by its polls', async () => {
  answers['GET queue'] = queue(order('A'), order('B', { due_at: inMinutes(-5) }));
  const user = openConsole();
  expect(await screen.findByText('5 min late')).toBeInTheDocument();
  expect(sent.find((request) => request.call === 'GET queue')?.watch).toBe(false);
  await user.keyboard('j');
  const panel = await screen.findByRole('region', { name: hostile });
  expect(document.querySelector('img')).toBeNull();
  expect(within(panel).queryByRole('button', { name: /Deliver/ })).toBeNull();
  answers['GET queue'] = queue(order('A', { taken: claim }), order('B'));
  await user.keyboard('{Enter}');
  expect(sent.find((request) => request.call === 'POST queue/take')).toMatchObject({
    body: { order_no: 'A' },
    watch: false,
  });
  answers['POST queue/fields'] = { fields: { uid: `${hostile}player` } };
  await within(panel).findByRole('button', { name: /^Show in full/ });
  expect(within(panel).getByLabelText('Note')).toHaveFocus();
  await user.keyboard('{Escape}o');
  expect(await within(panel).findByText(`${hostile}player`, { exact: false })).toBeInTheDocument();
  expect(document.querySelector('img')).toBeNull();
  answers['POST queue/deliver'] = { done: true };
  answers['GET queue'] = queue(order('B'));
  await user.keyboard('d');
  await user.keyboard('jk done{Control>}{Enter}{/Control}');
  expect(posts('queue/deliver')[0]).toEqual({ order_no: 'A', note: 'jk done' });
  expect(location.hash).toBe('#/queue/B');
  expect(calls()).toEqual(['POST queue/take', 'POST queue/fields', 'POST queue/deliver']);
});

it('the queue plays a sound for a new order once the user has switched it on in this browser', async () => {
  const tones: number[] = [];
  const node = { connect: () => {}, stop: () => {} };
  Object.assign(globalThis, {
    AudioContext: class {
      resume = async () => {};
    },
    GainNode: class {
      connect = node.connect;
    },
    OscillatorNode: class {
      connect = node.connect;
      stop = node.stop;
      start = () => tones.push(1);
    },
  });
  answers['GET queue'] = queue(order('A'));
  const user = openConsole();
  const sound = await screen.findByRole('checkbox', { name: 'Sound for new orders' });
  expect(sound).not.toBeChecked();
  const arrive = async (...orders: QueueOrder[]) => {
    answers['GET queue'] = queue(...orders);
    await act(() => queryClient.refetchQueries());
    await screen.findByText(`${orders.length} waiting`);
  };
  await arrive(order('A'), order('B'));
  expect(tones).toHaveLength(0);
  await user.click(sound);
  expect(tones).toHaveLength(2);
  await arrive(order('A'), order('B'), order('C'));
  expect(tones).toHaveLength(4);
  await arrive(order('A'), order('C'));
  expect(tones).toHaveLength(4);
  expect(localStorage.getItem('staff.sound')).toBe('on');
  localStorage.clear();
});

it('the queue sends codes line by line, and none while a line is wrong', async () => {
  answers['GET queue'] = claimed;
  answers['POST queue/deliver'] = { code: 46012, message: 'known already', data: { lines: [1] } };
  const user = openConsole('queue/A');
  const codes = await screen.findByLabelText('Codes');
  await user.type(codes, 'A 1{Enter}A 1{Enter}B 2 2027-01-31');
  const [twice, dated] = screen.getAllByRole('alert');
  expect(twice).toHaveTextContent('Line 2: Duplicate of line 1');
  expect(dated).toHaveTextContent(/^Line 3:/);
  expect(screen.getByRole('button', { name: /^Deliver 1 code/ })).toBeDisabled();
  await user.clear(codes);
  await user.type(codes, 'A 1{Enter}A 12');
  await user.click(screen.getByRole('button', { name: /^Deliver 2 codes/ }));
  expect(sent.at(-1)?.body).toEqual({
    order_no: 'A',
    note: '',
    codes: [
      { card_no: 'A', card_pwd: '1' },
      { card_no: 'A', card_pwd: '12' },
    ],
  });
  expect(await screen.findByRole('alert')).toHaveTextContent('known already');
  expect(screen.getAllByText('known already')).toHaveLength(1);
  expect(screen.getByLabelText('Codes')).toHaveValue('A 1\nA 12');
});

it('a refund is sent with one key however often it is repeated, and keeps its confirmations', async () => {
  answers['GET queue'] = claimed;
  answers['POST queue/refund'] = { code: 43022, message: 'The supplier may still deliver', data: { tries: 1 } };
  const user = openConsole('queue/A');
  await screen.findByLabelText('Codes');
  await user.keyboard('r');
  const dialog = await screen.findByRole('dialog');
  const refund = within(dialog).getByRole('button', { name: 'Refund' });
  await user.type(within(dialog).getByLabelText('Reason'), 'sold out');
  await user.click(refund);
  await user.click(await within(dialog).findByRole('checkbox', { name: /^The supplier confirms/ }));
  answers['POST queue/refund'] = { code: 46013, message: 'The buyer has seen the codes', data: { times: 1 } };
  await user.click(refund);
  await user.click(await within(dialog).findByRole('checkbox', { name: /^Refund even though/ }));
  expect(within(dialog).getByRole('checkbox', { name: /^The supplier confirms/ })).toBeChecked();
  await user.click(refund);
  const bodies = posts('queue/refund') as Array<{ key: string }>;
  expect(bodies[2]).toEqual({ ...bodies[0], not_delivered: true, revealed_ok: true });
});

it('the question to a buyer opens by a key, survives a refusal, and appears with its answer', async () => {
  answers['GET queue'] = claimed;
  answers['POST queue/ask'] = { code: 46011, message: 'Take the order first' };
  const user = openConsole('queue/A');
  await screen.findByLabelText('Codes');
  await user.keyboard('a');
  const dialog = await screen.findByRole('dialog', { name: 'Ask the buyer' });
  const send = within(dialog).getByRole('button', { name: 'Send' });
  expect(send).toBeDisabled();
  await user.type(within(dialog).getByLabelText('Question'), ' {Control>}{Enter}{/Control}');
  expect(calls()).toEqual([]);
  await user.clear(within(dialog).getByLabelText('Question'));
  await user.type(within(dialog).getByLabelText('Question'), 'Which server?{Control>}{Enter}{/Control}');
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('Take the order first');
  expect(within(dialog).getByLabelText('Question')).toHaveValue('Which server?');
  const question = { text: hostile, asked_at: inMinutes(-1), answered_at: null };
  answers['GET queue'] = queue(order('A', { taken: claim, question }));
  answers['POST queue/ask'] = { done: true };
  await user.click(send);
  expect(posts('queue/ask').at(-1)).toEqual({ order_no: 'A', question: 'Which server?' });
  expect(await screen.findByText(/No reply yet/)).toHaveTextContent(hostile);
  expect(screen.getByRole('rowheader').closest('tr')).toHaveTextContent('Asked');
  answers['GET queue'] = queue(order('A', { taken: claim, question: { ...question, answered_at: inMinutes(0) } }));
  await act(() => queryClient.refetchQueries());
  expect(await screen.findByText(/The buyer replied at/)).toBeInTheDocument();
  expect(screen.getByRole('rowheader').closest('tr')).toHaveTextContent('Replied');
});

it('a user’s page shows notes with their authors, and adds one', async () => {
  const shopper = { ...newShopper, notes: [{ id: 1, at: inMinutes(-1), by: 'Ben', note: hostile }] };
  answers['GET shopper/7'] = shopper;
  answers['POST shopper/note'] = { done: true };
  const user = openConsole('shopper/7');
  const notes = await screen.findByRole('region', { name: 'Notes' });
  expect(notes).toHaveTextContent(new RegExp(`Ben · .*${hostile.replace(/[()]/g, '.')}`));
  expect(document.querySelector('img')).toBeNull();
  await user.type(within(notes).getByLabelText('New note'), ' speaks English ');
  answers['GET shopper/7'] = {
    ...shopper,
    notes: [{ id: 2, at: inMinutes(0), by: 'Ann', note: 'speaks English' }, ...shopper.notes],
  };
  await user.click(within(notes).getByRole('button', { name: 'Add note' }));
  expect(await within(notes).findByText('speaks English', { exact: false })).toBeInTheDocument();
  expect(posts('shopper/note')[0]).toEqual({ id: 7, note: 'speaks English' });
  expect(within(notes).getByLabelText('New note')).toHaveValue('');
});

it('the key for a refund opens none for a disputed order', async () => {
  answers['GET queue'] = queue(order('A', { taken: claim, disputed: true }));
  const user = openConsole('queue/A');
  expect(await screen.findByRole('button', { name: /^Reject and refund/ })).toBeDisabled();
  await user.keyboard('r');
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('input during the claim of an order becomes its note, also if the claim is refused, and none of it works as a key command', async () => {
  answers['GET queue'] = queue(order('A'), order('B'));
  const user = openConsole('queue/A');
  await screen.findByRole('button', { name: /^Take/ });
  let answer: (data: object) => void = () => {};
  const holdAnswer = () => {
    answers['POST queue/take'] = new Promise((resolve) => {
      answer = resolve;
    });
  };
  holdAnswer();
  await user.keyboard('tby hand{Control>}{Enter}{/Control}');
  expect(screen.getByLabelText('Note')).toHaveValue('by hand');
  expect(calls()).toEqual(['POST queue/take']);
  await act(async () => answer({ code: 46010, message: 'Ben is working on it', data: { by: 'Ben' } }));
  expect(await screen.findByText('Ben is working on it')).toBeInTheDocument();
  expect(screen.queryByLabelText('Note')).toBeNull();

  holdAnswer();
  await user.keyboard('t, again');
  const note = screen.getByLabelText('Note');
  answers['GET queue'] = queue(order('A', { taken: claim }), order('B'));
  await act(async () => answer({ until: inMinutes(15) }));
  await screen.findByRole('button', { name: /^Return to queue/ });
  await user.keyboard(', b and r too');
  expect(screen.getByLabelText('Note')).toBe(note);
  expect(note).toHaveValue('by hand, again, b and r too');
  expect(note).toHaveFocus();
  expect(calls()).toEqual(['POST queue/take', 'POST queue/take']);
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('the note of an order stays if the order was returned to the queue', async () => {
  answers['GET queue'] = queue(order('A', { taken: claim }), order('B'));
  const user = openConsole('queue/A');
  await user.type(await screen.findByLabelText('Note'), 'half done{Escape}');
  answers['GET queue'] = queue(order('A'), order('B'));
  await user.keyboard('b');
  expect(await screen.findByText('Returned to the queue')).toBeInTheDocument();
  expect(location.hash).toBe('#/queue/B');
  await user.keyboard('k');
  answers['GET queue'] = queue(order('A', { taken: claim }), order('B'));
  await user.click(await screen.findByRole('button', { name: /^Take/ }));
  expect(await screen.findByLabelText('Note')).toHaveValue('half done');
  expect(calls()).toEqual(['POST queue/give-back', 'POST queue/take']);
});

it('the queue distinguishes orders of one product by account, server, time or number, and flags the last minute', async () => {
  const fields = (uid: string, server: string) => [
    { key: 'uid', label: 'UID', value: uid },
    { key: 'server', label: 'Server', value: server },
  ];
  answers['GET queue'] = queue(
    order('2026112600001111', { fields: fields('pl••••ne', 'Asia'), due_at: inMinutes(0.5) }),
    order('2026112600002222', { fields: fields('ab••••yz', 'Europe') }),
    order('2026112600003333', { fields: fields('••••', '••••') }),
  );
  openConsole();
  const [, first, second, third] = await screen.findAllByRole('row');
  expect(first).toHaveTextContent(/^<.*>pl••••ne · Asia/);
  expect(second).toHaveTextContent(/^<.*>ab••••yz · Europe/);
  expect(third).toHaveTextContent(/^<.*>…3333/);
  expect(within(first as HTMLElement).getByText('Under 1 min left')).toHaveClass('ui-tone--danger');
});

it('the navigation groups the pages that the role may see, and shows the signed-in user', async () => {
  answers['GET session'] = { name: 'Ann', role: 'seller', time_zone: 'UTC' };
  answers['GET queue'] = queue();
  const user = openConsole();
  const nav = within(await screen.findByRole('navigation', { name: 'Console' }));
  expect(nav.getAllByRole('heading').map((heading) => heading.textContent)).toEqual(['Orders', 'Ann · Seller']);
  expect(within(nav.getByRole('region', { name: 'Orders' })).getAllByRole('link')).toHaveLength(4);
  const menu = screen.getByRole('button', { name: 'Menu' });
  await user.click(menu);
  expect(menu).toHaveAttribute('aria-expanded', 'true');
  await user.keyboard('{Escape}');
  expect(menu).toHaveAttribute('aria-expanded', 'false');
  expect(menu).toHaveFocus();
  await user.click(menu);
  await user.click(nav.getByRole('link', { name: 'Find' }));
  expect(menu).toHaveAttribute('aria-expanded', 'false');
});

it('a call that needs a fresh code asks for one and repeats; without a code it is not sent again', async () => {
  answers['GET people'] = [];
  answers['POST people'] = { code: 46008, message: 'Enter a code of your authenticator app to continue' };
  const user = openConsole('people');
  await user.type(await screen.findByLabelText('Name'), 'Zoe');
  const add = () => user.click(screen.getByRole('button', { name: 'Add a staff member' }));
  const dialog = () => screen.findByRole('dialog', { name: 'Confirm it’s you' });
  await add();
  await user.click(within(await dialog()).getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Enter a code of your authenticator app');
  expect(calls()).toEqual(['POST people']);

  await add();
  answers['POST session/code'] = { code: 46007, message: 'Wrong code' };
  await user.type(within(await dialog()).getByLabelText('Code'), '123456');
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await within(await dialog()).findByRole('alert')).toHaveTextContent('Wrong code');
  expect(within(await dialog()).getByLabelText('Code')).toHaveValue('');
  answers['POST session/code'] = { done: true };
  answers['POST people'] = { name: 'Zoe', token: 'a-token', expires_at: '2026-11-30T00:00:00.000Z' };
  await user.type(within(await dialog()).getByLabelText('Code'), '654 321');
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByRole('dialog', { name: /^One-time link for Zoe/ })).toBeInTheDocument();
  expect(sent.filter(({ call }) => call.startsWith('POST')).slice(1)).toMatchObject([
    { call: 'POST people', body: { name: 'Zoe', role: 'seller' } },
    { call: 'POST session/code', body: { code: '123456' } },
    { call: 'POST session/code', body: { code: '654321' } },
    { call: 'POST people', body: { name: 'Zoe', role: 'seller' } },
  ]);
});
