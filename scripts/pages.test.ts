import { pagesOf, typesOf } from './pages';

const remote = (name: string, ...pages: string[]) => ({
  name,
  routes: pages.map((page) => ({ path: `/${name}/${page}`, page: `./${page}`, query: ['sort'] })),
});

it('pagesOf contains the pages of all remotes in the checkout and keeps those of other remotes', () => {
  const pages = pagesOf([remote('one', 'b', 'a')], {
    gone: { remote: 'one', path: '/gone', query: [] },
    away: { remote: 'elsewhere', path: '/away', query: [] },
  });
  expect(pages).toEqual({
    a: { remote: 'one', path: '/one/a', query: ['sort'] },
    away: { remote: 'elsewhere', path: '/away', query: [] },
    b: { remote: 'one', path: '/one/b', query: ['sort'] },
  });
  expect(typesOf(pages)).toContain('paths = {"a":"/one/a","away":"/away","b":"/one/b"} as const');
  expect(typesOf(pages)).toContain("{\n'a': 'sort';\n'b': 'sort';\n}");
});

it('pagesOf refuses a name that two pages use', () => {
  const remotes = [remote('one', 'list'), remote('other', 'list')];
  expect(() => pagesOf(remotes)).toThrow('one and other have a page called "list"');
});
