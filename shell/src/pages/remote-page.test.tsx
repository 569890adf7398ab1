import type { HealthKind, Visit } from '@platform/host/health';
import { act, fireEvent, screen } from '@testing-library/react';
import { endShell, pageOfLinks, renderShell, type TestPage } from '../testing/render-shell';

const reports: Array<{ visit: Visit; kind: HealthKind }> = [];
jest.mock('@platform/host/health', () => ({
  ...jest.requireActual<object>('@platform/host/health'),
  report: (visit: Visit, kind: HealthKind) => void reports.push({ visit, kind }),
}));

const links = pageOfLinks({ path: '/home' }, ['/home', '/search', '/goods/7']);
const throwing: TestPage = {
  path: '/goods/:id',
  Component: () => {
    throw new Error('the page throws');
  },
};
const go = (to: string) =>
  act(async () => fireEvent.click(screen.getByRole('button', { name: `go ${to}`, hidden: true })));
const reported = () => reports.map(({ visit: { page }, kind }) => `${page} ${kind}`);

beforeEach(() => {
  reports.length = 0;
});
afterEach(endShell);

describe('a visit of a page', () => {
  it('a visit is reported when the page is ready, and again each time it is shown', async () => {
    await renderShell('/home', { pages: [links] });
    expect(reported()).toEqual(['./home visit']);
    await go('/search');
    await go('/home');
    expect(reported()).toEqual(['./home visit', './search visit', './home visit']);
    expect(new Set(reports.map(({ visit }) => visit.visit)).size).toBe(3);
  });

  it('a visit and its failure have the same number', async () => {
    jest.spyOn(console, 'error').mockImplementation(() => {});
    await renderShell('/home', { pages: [links, throwing] });
    await go('/goods/7');
    const failed = reports.filter(({ visit }) => visit.page === './goods/:id');
    expect(failed.map(({ kind }) => kind)).toContain('render');
    expect(new Set(failed.map(({ visit }) => visit.visit)).size).toBe(1);
    jest.restoreAllMocks();
  });
});

it.each([
  ['while its code loads', { path: '/goods/:id', title: '商品详情', flags: { transparent: true }, neverLoads: true }],
  ['when it fails', { ...throwing, title: '商品详情', flags: { transparent: true } }],
] satisfies [string, TestPage][])('a page that brings its own heading has that of its route %s', async (_, page) => {
  jest.spyOn(console, 'error').mockImplementation(() => {});
  await renderShell('/goods/7', { pages: [page] });
  expect(screen.getAllByRole('heading', { level: 1 }).map((heading) => heading.textContent)).toEqual(['商品详情']);
  jest.restoreAllMocks();
});
