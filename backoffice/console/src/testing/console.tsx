import type { StaffShopper } from '@shop/backoffice/wire';
import { changeLanguage } from '@shop/shared/i18n';
import { QueryClientProvider, queryClient } from '@shop/shared/query';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { App } from '../app';
import { dropDrafts } from '../drafts';
import { loadPages } from '../pages';

export const newShopper: StaffShopper = {
  user: {
    ...{ id: 7, phone: '137****0001', sign_in_email: '', email: '', nickname: 'Fang', is_usable: true },
    created_at: '2026-11-01T08:00:00.000Z',
  },
  ...{ is_vip: false, wallets: [], orders: [], ledger: [], coupons: [], sessions: [], notes: [], payments: [] },
  level: { own: null, given: null },
};

export interface Sent {
  call: string;
  body: unknown;
  watch: boolean;
}

/** Answers by method and path, as data or as an error with its code, and the requests sent. */
export async function stubCalls(role: string): Promise<{ answers: Record<string, unknown>; sent: Sent[] }> {
  const answers: Record<string, unknown> = { 'GET session': { name: 'Ann', role, time_zone: 'UTC' } };
  const sent: Sent[] = [];
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
    const answer = answers[call] ?? { code: 404 };
    const isError = typeof answer === 'object' && answer !== null && 'code' in answer;
    const envelope = isError ? { message: 'refused', data: null, ...answer } : { code: 200, data: answer };
    return { headers: new Headers(), json: async () => envelope };
  }) as typeof fetch;
  return { answers, sent };
}

export function openConsole() {
  render(
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>,
  );
  return userEvent.setup();
}
