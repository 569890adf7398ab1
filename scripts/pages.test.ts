import { pagesOf, typesOf } from './pages.mjs';

const remote = (name: string, ...pages: string[]) => ({
  name,
  routes: pages.map((page) => ({ path: `/${name}/${page}`, page: `./${page}`, query: ['sort'] })),
});

it('are named by all remotes that are here, and those of one that is not here stay', () => {
  const pages = pagesOf([remote('one', 'b', 'a')], {
    gone: { remote: 'one', path: '/gone', query: [] },
    away: { remote: 'elsewhere', path: '/away', query: [] },
  });
  expect(pages).toEqual({
    a: { remote: 'one', path: '/one/a', query: ['sort'] },
    away: { remote: 'elsewhere', path: '/away', query: [] },
    b: { remote: 'one', path: '/one/b', query: ['sort'] },
  });
  expect(typesOf(pages)).toContain("'a': { path: '/one/a'; query: 'sort' };");
  expect(typesOf(pages)).toContain("'away': { path: '/away'; query: never };");
});

it('have one name each', () => {
  expect(() => pagesOf([remote('one', 'list'), remote('other', 'list')])).toThrow(
    'one and other have a page called "list"',
  );
});
