import type { ListedOrder, OrderChoices, OrderSums } from '@shop/backoffice/wire';
import { ErrorCode } from '@shop/shared/domain';
import { addDays, localDay } from '@shop/shared/domain/time-zone';
import { act, screen, waitFor, within } from '@testing-library/react';
import { answers, foundOrder, openConsole, savedFiles, sent, stubCalls } from '../testing/console';

const order = (order_no: string): ListedOrder => ({
  ...foundOrder,
  order_no,
  name: order_no,
  paid_at: null,
  kind: 'card',
  delivery: 'waiting',
  pay_method: 'Card',
  supplier: 'stock',
  coupon: null,
  level: null,
  contact: '137****0001',
});
const page = (numbers: string[], next: string | null = null) => ({ list: numbers.map(order), next });
const choices: OrderChoices = {
  values: [],
  methods: [],
  suppliers: [],
  levels: [],
  goods: [{ key: 'steam', name: 'Steam' }],
  coupons: [{ key: 'a/b', name: 'Welcome' }],
};
const sums: OrderSums = { orders: 1234, sums: [{ currency: 'CNY', orders: 1234, paid: '10056.00', refunded: '3.50' }] };
const refused = (errors: Record<string, string>) => ({ code: ErrorCode.InvalidInput, data: { errors } });

async function open(place: string, answersHere: Record<string, unknown>) {
  await stubCalls('seller');
  Object.assign(answers, { 'GET orders/choices': choices, 'GET orders/sums': sums, ...answersHere });
  const calls = () => sent.map(({ call }) => call).filter((call) => call.startsWith('GET orders'));
  return { user: openConsole(`${place}`), calls };
}

it('the list of orders shows the sums of its filter, and each order once while more arrive', async () => {
  const { user } = await open('orders', {
    'GET orders': page(['A', 'B'], 'newest.1.2'),
    'GET orders?cursor=newest.1.2': page(['B', 'C']),
  });
  const table = await screen.findByRole('table', { name: 'All orders' });
  await user.click(screen.getByRole('button', { name: 'Show more' }));
  await within(table).findByRole('link', { name: 'C' });
  const links = within(table).getAllByRole('link', { name: /^[A-Z]$/ });
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['#/order/A', '#/order/B', '#/order/C']);
  expect(screen.getByRole('table', { name: '1234 orders' })).toHaveTextContent(/CNY1234¥10,056.00¥3.50/);
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

const list = 'GET orders';
const steam = '?goods=steam&amount_from=10.5&sort=highest';

it('the address of the list of orders has its filter: a form and buttons change it, and Back returns', async () => {
  const { user, calls } = await open('orders/coupon=a%2Fb', {
    [`${list}?coupon=a%2Fb`]: page([]),
    'GET orders/sums?coupon=a%2Fb': { orders: 0, sums: [] },
    [list]: page(['A']),
    [`${list}${steam}`]: refused({ currency: 'This is required' }),
  });
  const address = (conditions: string) => waitFor(() => expect(location.hash).toBe(`#/orders${conditions}`));
  expect(await screen.findByText('No matching orders')).toBeInTheDocument();
  await user.click(await screen.findByRole('button', { name: 'Coupon used: Welcome' }));
  await address('');
  expect(screen.queryByLabelText('Value')).toBeNull();
  await user.selectOptions(screen.getByLabelText('Product'), 'steam');
  await user.type(screen.getByLabelText('Amount from'), '10,5');
  await user.selectOptions(screen.getByLabelText('Sort'), 'Highest amount first');
  await user.click(screen.getByRole('button', { name: 'Show' }));
  expect(await screen.findByText('This is required')).toBeInTheDocument();
  expect(screen.getByLabelText('Currency')).toBeInvalid();
  expect(screen.getByLabelText('Amount from')).toHaveValue('10.5');
  await address('');
  answers[`${list}${steam}&currency=CNY`] = page(['B']);
  answers[`GET orders/choices?goods=steam`] = { ...choices, values: [{ key: 'month', name: '1 month' }] };
  await user.selectOptions(screen.getByLabelText('Currency'), 'CNY');
  await user.click(screen.getByRole('button', { name: 'Show' }));
  await address('/goods=steam/amount_from=10.5/sort=highest/currency=CNY');
  expect(await screen.findByRole('link', { name: 'B' })).toBeInTheDocument();
  expect(screen.getByLabelText('Value')).toBeInTheDocument();
  expect(calls().filter((call) => call === `${list}${steam}&currency=CNY`)).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Currency: CNY' }));
  await address('/goods=steam');
  await user.click(screen.getByRole('button', { name: 'Last 7 days' }));
  const today = localDay(new Date(), 'UTC');
  await address(`/goods=steam/from=${addDays(today, -6)}/to=${today}`);
  expect(screen.getByRole('button', { name: 'Last 7 days' })).toHaveAttribute('aria-pressed', 'true');
  act(() => history.go(-3));
  await address('');
  expect(await screen.findByRole('link', { name: 'A' })).toBeInTheDocument();
});

it('the list of orders names what is wrong in an address, and one click clears it', async () => {
  const answer = refused({ state: 'This is not right', colour: 'This field is not accepted' });
  const { user } = await open('orders/state=lost/colour=red', {
    'GET orders?state=lost&colour=red': answer,
    'GET orders/sums?state=lost&colour=red': answer,
    [list]: page(['A']),
  });
  expect(await screen.findByRole('alert')).toHaveTextContent(
    /Status: This is not right · colour: This field is not accepted/,
  );
  expect(screen.queryByText('No matching orders')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Clear all' }));
  expect(await screen.findByRole('link', { name: 'A' })).toBeInTheDocument();
});

it('the list of orders appears also if there are too many to add up', async () => {
  await open('orders', { 'GET orders/sums': { code: 46061, message: 'Too many' }, [list]: page(['A']) });
  expect(await screen.findByText('Too many')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'A' })).toBeInTheDocument();
});

const text = '\uFEFForder\r\nA\r\nB\r\n';
type Chunk = string | Error | Promise<never>;

async function openExport(chunks: Chunk[], headers: Record<string, string>) {
  const saved = savedFiles();
  const { user } = await open('orders/state=paid', { [`${list}?state=paid`]: page(['A']) });
  const answer = globalThis.fetch;
  let signal: AbortSignal | null | undefined;
  globalThis.fetch = (async (url: string, init: RequestInit) => {
    if (!url.startsWith('/staff/api/orders/export')) return answer(url, init);
    expect(url).toBe('/staff/api/orders/export?state=paid&format=csv');
    signal = init.signal;
    const read = async () => {
      const chunk = await chunks.shift();
      if (chunk instanceof Error) throw chunk;
      return { done: chunk === undefined, value: new TextEncoder().encode(chunk) };
    };
    const json = async () => ({ code: 46061, message: 'Too many', data: null });
    return { headers: new Headers(headers), body: { getReader: () => ({ read }) }, json };
  }) as typeof fetch;
  await user.click(await screen.findByRole('button', { name: 'Export CSV' }));
  return { user, saved, signal: () => signal };
}
const attachment = { 'content-disposition': 'attachment', 'content-type': 'text/csv', 'x-total-rows': '2' };

it('an export of orders is saved as a file when all of it has arrived', async () => {
  const { saved } = await openExport([text.slice(0, 9), text.slice(9)], attachment);
  expect(await screen.findByText('Export saved')).toBeInTheDocument();
  expect(saved.map(({ name }) => name)).toEqual([expect.stringMatching(/^orders-[\d-]{10}\.csv$/)]);
  expect(saved[0]?.content.size).toBe(new TextEncoder().encode(text).length);
});

it.each<[how: string, chunks: Chunk[], headers: Record<string, string>, message: RegExp]>([
  [
    'breaks off',
    [text.slice(0, 12), new TypeError('network error')],
    attachment,
    /isn’t responding.*No file was saved/,
  ],
  ['ends before its last row', [text.slice(0, -2)], attachment, /isn’t responding.*No file was saved/],
  ['is refused', [], {}, /Too many No file was saved/],
])('an export of orders that %s is not saved', async (_how, chunks, headers, message) => {
  const { saved } = await openExport(chunks, headers);
  expect(await screen.findByText(message)).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Export CSV' })).toBeEnabled();
  expect(saved).toEqual([]);
});

it('an export of orders shows its progress, and can be cancelled', async () => {
  let fail: (error: Error) => void = () => {};
  const waiting = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const { user, saved, signal } = await openExport([text.slice(0, 12), waiting], attachment);
  expect(await screen.findByText('1 of 2 orders received')).toBeInTheDocument();
  expect(screen.getByRole('progressbar', { name: 'Progress of the export' })).toHaveValue(1);
  signal()?.addEventListener('abort', () => fail(new DOMException('aborted', 'AbortError')));
  await user.click(screen.getByRole('button', { name: 'Cancel export' }));
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
  expect(screen.queryByText(/No file was saved/)).toBeNull();
  expect(saved).toEqual([]);
});
