import type { FoundOrder, StaffShopper } from '@shop/backoffice/wire';
import { changeLanguage } from '@shop/shared/i18n';
import { QueryClientProvider, queryClient } from '@shop/shared/query';
import { render, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { App } from '../app';
import { dropDrafts } from '../drafts';
import { loadPages } from '../pages';

export const newShopper: StaffShopper = {
  user: {
    id: 7,
    phone: '137****0001',
    sign_in_email: '',
    email: '',
    nickname: 'Fang',
    is_usable: true,
    created_at: '2026-11-01T08:00:00.000Z',
  },
  is_vip: false,
  wallets: [],
  orders: [],
  ledger: [],
  coupons: [],
  sessions: [],
  notes: [],
  payments: [],
  level: { own: null, given: null },
};

export const foundOrder: FoundOrder = {
  order_no: 'O1',
  name: 'Card',
  face_value: '10',
  quantity: 3,
  status: 30,
  closed: false,
  amount: '30.00',
  refunded: '0.00',
  currency: 'CNY',
  created_at: '2026-11-01T08:00:00.000Z',
  user_id: 7,
};

export const hostile = '<img src=x onerror=alert(1)>';
export const both = (text: string) => ({ 'zh-CN': text, en: text });
export const pageOf = (list: unknown[], more?: object) => ({
  list,
  total: list.length,
  page: 1,
  limit: 30,
  has_more: false,
  ...more,
});

interface Sent {
  call: string;
  body: unknown;
  watch: boolean;
}

/** Each call, named by method and path, is answered with its data, or with an error that has a code, or with a promise of them. */
export const answers: Record<string, unknown> = {};
export const sent: Sent[] = [];
export const posts = (call: string) =>
  sent.filter((request) => request.call === `POST ${call}`).map(({ body }) => body);

/** Stubs all calls. `answers` then has only the session of a user with the role, and `sent` is empty. */
export async function stubCalls(role: string): Promise<void> {
  for (const call of Object.keys(answers)) delete answers[call];
  answers['GET session'] = { name: 'Ann', role, time_zone: 'UTC' };
  sent.length = 0;
  queryClient.clear();
  dropDrafts();
  location.hash = '';
  await changeLanguage('en');
  // Compiles the lazy pages here, so that no single test becomes slow.
  await loadPages();
  globalThis.fetch = (async (url: string, { method, headers, body }: RequestInit) => {
    const call = `${method} ${url.replace('/staff/api/', '')}`;
    const watch = new Headers(headers).get('x-staff') === 'watch';
    sent.push({ call, body: typeof body === 'string' ? JSON.parse(body) : body, watch });
    const answer = (await answers[call]) ?? { code: 404 };
    if (Object(answer).lines) return streamOf((answer as { lines: AsyncIterator<object> }).lines);
    const isError = typeof answer === 'object' && answer !== null && 'code' in answer;
    const envelope = isError ? { message: 'refused', data: null, ...answer } : { code: 200, data: answer };
    return { headers: new Headers(), json: async () => envelope };
  }) as typeof fetch;
}

/** An answer of one JSON object for each line, with empty lines between. */
function streamOf(lines: AsyncIterator<object>) {
  const read = async () => {
    const { done, value } = await lines.next();
    return { done, value: done ? undefined : new TextEncoder().encode(`\n${JSON.stringify(value)}\n`) };
  };
  return { headers: new Headers({ 'content-type': 'application/x-ndjson' }), body: { getReader: () => ({ read }) } };
}

/** The texts of the cells of a table, without its head. */
export const cellsOf = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent));

/** The files that the page saves from now on. */
export function savedFiles(): Array<{ name: string; content: Blob }> {
  const files: ReturnType<typeof savedFiles> = [];
  URL.createObjectURL = (content: Blob) => `blob:${files.push({ name: '', content })}`;
  URL.revokeObjectURL = () => {};
  HTMLAnchorElement.prototype.click = function click() {
    Object.assign(files.at(-1) ?? {}, { name: this.download });
  };
  return files;
}

/** At the place in its address, such as `goods/edit/genshin`. */
export function openConsole(place?: string) {
  if (place !== undefined) location.hash = `#/${place}`;
  render(
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>,
  );
  return userEvent.setup();
}
