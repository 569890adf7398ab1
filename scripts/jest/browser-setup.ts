import '@testing-library/jest-dom';
import { configure } from '@testing-library/dom';

// A machine that is busy with something else is slow, not wrong.
configure({ asyncUtilTimeout: 15_000 });

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
