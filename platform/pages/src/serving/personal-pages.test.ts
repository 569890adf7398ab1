import type { ReleaseMap, RenderRequest, RouteContract } from '@platform/releases';
import { drawPersonalPage, type Person } from './personal-pages';

const route = { path: '/order/:id', firstCalls: [{ url: '/api/order?no=:id' }], flags: { requiresLogin: true } };

interface Given {
  ask?: Person['ask'];
  /** What the page asks for, round by round. */
  wanted?: string[][];
}

function setUp({ ask = async (address) => ({ data: `answer to ${address}` }), wanted = [] }: Given = {}) {
  const asked: string[] = [];
  const requests: Array<RenderRequest & { person?: string }> = [];
  const person: Person = {
    session: 'session-of-ann',
    mark: 'ann-mark',
    currency: 'USD',
    shellCalls: ['/api/config', '/api/me'],
    ask: (address) => {
      asked.push(address);
      return ask(address);
    },
  };
  const rendering = {
    page: async (
      _map: ReleaseMap,
      _visitor: number | null,
      request: RenderRequest,
      _fault: unknown,
      whose?: string,
    ) => {
      requests.push({ ...request, answers: { ...request.answers }, person: whose });
      const more = wanted[requests.length - 1] ?? [];
      return { html: request.isDraft && more.length > 0 ? '' : '<p>page</p>', queryState: '{}', wanted: more };
    },
  };
  const draw = () =>
    drawPersonalPage(rendering, {
      map: {} as ReleaseMap,
      visitor: null,
      route: route as unknown as RouteContract,
      path: '/order/7',
      language: 'en',
      theme: 'light',
      person,
    });
  return { draw, asked, requests };
}

it('draws with the answers of the person, where no other’s pages are drawn, and marks the page as theirs', async () => {
  const { draw, requests } = setUp();
  expect(await draw()).toMatchObject({ html: '<p>page</p>', path: '/order/7', person: 'ann-mark' });
  expect(requests).toHaveLength(1);
  expect(requests[0]).toMatchObject({ person: 'session-of-ann', isSignedIn: true, currency: 'USD' });
  expect(Object.keys(requests[0]?.answers ?? {})).toEqual(['/api/config', '/api/me', '/api/order?no=7']);
});

it('asks for what the page asks for, each call once', async () => {
  const { draw, asked, requests } = setUp({ wanted: [['/api/more', '/api/me'], ['/api/more']] });
  expect(await draw()).toBeDefined();
  expect(asked).toEqual(['/api/config', '/api/me', '/api/order?no=7', '/api/more']);
  expect(requests).toHaveLength(2);
});

it('leaves calls that documents may not have to the browser', async () => {
  const { draw, requests } = setUp({
    ask: async (address) => (address === '/api/codes' ? undefined : { data: 1 }),
    wanted: [['/api/codes'], ['/api/codes']],
  });
  expect(await draw()).toBeDefined();
  expect(requests.at(-1)?.answers).not.toHaveProperty('/api/codes');
});

it('fails when a call fails, so that the document holds nothing of the person', async () => {
  const { draw } = setUp({ ask: () => Promise.reject(new Error('no such order')) });
  await expect(draw()).rejects.toThrow('no such order');
});
