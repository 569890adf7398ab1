import type { OpsModules } from '@shop/backoffice/wire';
import { changeLanguage } from '@shop/shared/i18n';
import { QueryClientProvider, queryClient } from '@shop/shared/query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ModulesPage } from './modules-page';

const catalog: OpsModules['modules'][number] = {
  name: 'catalog',
  version: '2.0.0',
  owner: '@shop/catalog',
  routes: [
    { path: '/goods/:id', title: { 'zh-CN': '商品', en: 'Product' }, requiresLogin: false },
    { path: '/mine', title: 'Mine', requiresLogin: true },
  ],
  linksTo: [
    { path: '/order/detail/:id', module: 'orders' },
    { path: '/gone', module: null },
  ],
  linkedFrom: [{ path: '/goods/:id', module: 'orders' }],
  needs: [{ name: '@shop/shared/ui', range: '^3.0.0', offered: '3.4.0' }],
  offers: [],
  flows: [{ name: 'search leads to a product', route: '/search', visitor: 'guest', steps: 4 }],
  owes: [{ from: 'price', to: 'order', dryRun: true }],
  size: { bytes: 61_440, budget: 150_000, page: './home' },
  packages: ['react@19.2.0', 'yup@1.7.0'],
};
const shell: OpsModules['modules'][number] = {
  ...{ name: 'shell', version: '1.0.0', owner: null, routes: [], needs: [], flows: [], owes: [], packages: null },
  ...{ linksTo: null, linkedFrom: [] },
  offers: [{ name: 'react', version: '19.2.0' }],
  size: { bytes: 170_000, budget: 260_000 },
};
const catalogue: OpsModules = {
  ...{ channel: 'production', rev: 7, you: 'Ann (ops)', role: 'ops', modules: [catalog, shell] },
  access: [
    {
      name: 'catalog CI',
      role: 'squad',
      remotes: ['catalog'],
      channels: ['production'],
      expiresAt: '2026-12-01T00:00:00Z',
    },
    { name: 'platform CI', role: 'platform', remotes: [], channels: [], expiresAt: '2026-12-01T00:00:00Z' },
  ],
};

let answers: Record<string, { status?: number; result?: unknown }>;

beforeEach(async () => {
  answers = { modules: { result: catalogue }, state: { status: 503 } };
  queryClient.clear();
  await changeLanguage('en');
  globalThis.fetch = jest.fn(async (url: string) => {
    const { status = 200, result } = answers[url.replace('/staff/api/releases/', '')] ?? { status: 404 };
    const body = result === undefined ? { error: { message: 'not now' } } : { result };
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
  }) as typeof fetch;
});

const open = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <ModulesPage />
    </QueryClientProvider>,
  );

it('shows whose each module is, its pages, entry points, flows, size and packages, also while health is not known', async () => {
  open();
  const card = within(await screen.findByRole('article', { name: 'catalog' }));
  expect(screen.getByText('Signed in as Ann (ops)')).toBeInTheDocument();
  expect(card.getByText('@shop/catalog')).toBeInTheDocument();
  expect(card.getByText('61.4 of 150 kB compressed, ./home')).toBeInTheDocument();
  await userEvent.click(card.getByText('Pages (2)'));
  const pages = within(card.getByRole('table', { name: 'Pages of catalog' }));
  expect(pages.getByRole('row', { name: '/goods/:id Product open' })).toBeInTheDocument();
  expect(pages.getByRole('row', { name: '/mine Mine signed in' })).toBeInTheDocument();
  const taken = within(card.getByRole('table', { name: 'Entry points that catalog takes', hidden: true }));
  expect(taken.getByRole('row', { name: '@shop/shared/ui ^3.0.0 3.4.0', hidden: true })).toBeInTheDocument();
  expect(card.getByText('/search: search leads to a product (steps: 4)')).toBeInTheDocument();
  expect(card.getByText('price → order, by 10.0 % (dry run)')).toBeInTheDocument();
  expect(card.getByText('react@19.2.0, yup@1.7.0')).toBeInTheDocument();
});

it('shows which pages of others a module links to and who links to its own, and says where a build does not tell', async () => {
  open();
  const card = within(await screen.findByRole('article', { name: 'catalog' }));
  await userEvent.click(card.getByText('Pages linked to (2)'));
  const out = within(card.getByRole('table', { name: 'Pages that catalog links to' }));
  expect(out.getByRole('row', { name: '/order/detail/:id orders' })).toBeInTheDocument();
  expect(out.getByRole('row', { name: '/gone none has it' })).toBeInTheDocument();
  await userEvent.click(card.getByText('Pages linked from elsewhere (1)'));
  const into = within(card.getByRole('table', { name: 'Modules that link to catalog' }));
  expect(into.getByRole('row', { name: '/goods/:id orders' })).toBeInTheDocument();
  const other = within(screen.getByRole('article', { name: 'shell' }));
  expect(other.getByText('Its build does not say which pages it links to')).toBeInTheDocument();
});

it('shows the keys of a module to whom they are told, and those for all once', async () => {
  open();
  const card = within(await screen.findByRole('article', { name: 'catalog' }));
  expect(card.getByText(/^catalog CI \(production\), until /)).toBeInTheDocument();
  expect(screen.getByText('Keys for all modules: platform CI')).toBeInTheDocument();
  const other = within(screen.getByRole('article', { name: 'shell' }));
  expect(other.getByText('none of its own')).toBeInTheDocument();
  expect(other.getByText('Published without an SBOM')).toBeInTheDocument();
});

it('leaves the keys out for a squad, which is not told of them', async () => {
  answers.modules = { result: { ...catalogue, access: null, you: 'Ben (squad)' } };
  open();
  const card = within(await screen.findByRole('article', { name: 'catalog' }));
  expect(card.queryByText('Release keys')).not.toBeInTheDocument();
});

it('says so when nothing is live, and when the catalogue cannot be had', async () => {
  answers.modules = { result: { ...catalogue, modules: [] } };
  const { unmount } = open();
  expect(await screen.findByText('No module is live')).toBeInTheDocument();
  unmount();
  queryClient.clear();
  answers.modules = { status: 500 };
  open();
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeInTheDocument();
});
