import { onVisit } from '@platform/host/health';
import type { PageMapEntry } from '@platform/releases/contract';
import { Link, useNavigation } from '@shop/shared/router';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { endShell, renderShell, type TestPage } from '../testing/render-shell';
import { createShell } from './create-shell';

afterEach(endShell);

it('starts the data of each visited address once, with its parameters, and a visit of each page', async () => {
  const visits = jest.fn();
  onVisit(visits);
  const started: string[] = [];
  const page = (path: string, next: string): TestPage => ({
    path,
    Component: () => <Link to={next}>{`to ${next}`}</Link>,
    loader: ({ params, request }) => void started.push(`${new URL(request.url).search} ${JSON.stringify(params)}`),
  });
  await renderShell('/goods/7', {
    pages: [page('/goods/:id', '/search?keyword=a'), page('/search', '/search?keyword=b')],
  });
  expect(started).toEqual([' {"id":"7"}']);
  await userEvent.click(screen.getByRole('link', { name: 'to /search?keyword=a' }));
  await userEvent.click(screen.getByRole('link', { name: 'to /search?keyword=b' }));
  await userEvent.click(screen.getByRole('link', { name: 'to /search?keyword=b' }));
  expect(started).toEqual([' {"id":"7"}', '?keyword=a {}', '?keyword=b {}']);
  expect(visits).toHaveBeenCalledTimes(2);
});

it('starts the data of a first page outside the layout', async () => {
  const loader = jest.fn();
  await renderShell('/youxi', { pages: [{ path: '/youxi', flags: { layout: false }, loader }] });
  expect(loader).toHaveBeenCalledTimes(1);
});

it('changes the page in one render, without a loading state of the old page', async () => {
  const states = new Set<string>();
  const Component = () => {
    states.add(useNavigation().state);
    return <Link to="/search">on</Link>;
  };
  await renderShell('/home', { pages: [{ path: '/home', Component }] });
  await userEvent.click(screen.getByRole('link', { name: 'on' }));
  expect(await screen.findByText('page /search')).toBeVisible();
  expect([...states]).toEqual(['idle']);
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
