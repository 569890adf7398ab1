import '@testing-library/jest-dom';
import { configure } from '@testing-library/dom';

configure({ asyncUtilTimeout: 5_000 });

// What jsdom does not lay out or scroll. A test that needs more replaces it.
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
