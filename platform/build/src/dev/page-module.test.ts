const pageModule = require('./page-module.cjs') as (this: object) => string;

interface Page {
  Component: () => null;
  loader: () => string;
}

function moduleBefore(edited: { page: Page }): Page {
  const code = pageModule.call({ utils: { contextify: () => './page.tsx' } });
  const module = { exports: {} as Page, hot: { accept: () => {} } };
  const load = (request: string) => (request === './page.tsx' ? edited.page : {});
  new Function('module', 'require', code)(module, load);
  return module.exports;
}

test('an edited route keeps its first component, which React replaces by the newest, and has the newest loader', () => {
  const [First, Second] = [() => null, () => null];
  const edited = { page: { Component: First, loader: () => 'first' } };
  const route = moduleBefore(edited);
  expect(route.Component).toBe(First);
  edited.page = { Component: Second, loader: () => 'second' };
  expect(route.Component).toBe(First);
  expect(route.loader()).toBe('second');
});
