import type { PageMapEntry } from '@platform/releases/contract';
import { stubNetwork } from '@shop/shared/testing';
import { waitFor } from '@testing-library/react';
import { createShell } from './create-shell';

afterEach(() => localStorage.clear());

it('loads the user and checks for a coupon when the session is restored after the first navigation', async () => {
  localStorage.setItem('token', 'Bearer x');
  const requests = stubNetwork({
    'GET /api/front/user/info': { id: 7, nickname: '小星', balances: { CNY: '1.00', USD: '1.00' } },
    'GET /api/front/coupon/check': null,
  });
  const map = { channel: 'production', rev: 1, microFrontends: {} } as const;
  const rendered = { path: '/home', language: 'zh-CN', theme: 'light', answers: {} } as const;
  const { shell, dispose } = createShell({ map, visitor: 50, rendered });
  await shell.session.ensureUser();
  expect(shell.session.hasToken).toBe(false);
  shell.hydration?.restore();
  shell.hydration?.done?.();
  await waitFor(() => expect(shell.session.user?.nickname).toBe('小星'));
  expect(requests.map(({ url }) => url)).toEqual(expect.arrayContaining(['/api/front/coupon/check']));
  dispose();
});

it('starts with a map in which two remotes have the same path, as a preview may have', () => {
  const entry = (name: string): PageMapEntry => ({
    metadata: { version: '1.0.0-1' },
    deployment: { traffic: 100, default: true },
    extras: {
      base: `/r/${name}/1.0.0-1/`,
      entry: 'entry.js',
      exposes: {},
      integrity: {},
      remote: { name, contract: 1, routes: [{ path: '/home', page: './home', module: '', title: 'Home' }] },
    },
  });
  const map = { channel: 'production', rev: 1, microFrontends: { one: [entry('one')], two: [entry('two')] } };
  expect(() => createShell({ map, visitor: 50 }).dispose()).not.toThrow();
});
