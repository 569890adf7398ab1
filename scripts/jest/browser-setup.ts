import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import '@testing-library/jest-dom';
import { addPages } from '@shop/shared/links';
import { configure } from '@testing-library/dom';

// A remote outside this repository links to its own pages, which the shop's list does not contain.
const contract = path.resolve('remote.json');
if (existsSync(contract)) addPages(JSON.parse(readFileSync(contract, 'utf8')).routes);

// A wrong query fails soon at the desk. CI shares its machine.
configure({ asyncUtilTimeout: process.env.CI ? 30_000 : 2_000 });

// A test file with `@jest-environment node` has no window.
if (typeof window !== 'undefined') {
  // jsdom has neither. A test that needs more replaces them.
  window.scrollTo = () => {};
  window.matchMedia ??= (query: string) =>
    ({
      matches: false,
      media: query,
      onchange: null,
      addEventListener() {},
      removeEventListener() {},
      addListener() {},
      removeListener() {},
      dispatchEvent: () => false,
    }) as MediaQueryList;
}
