import '@testing-library/jest-dom';
import { configure } from '@testing-library/dom';

// Generous, for a busy machine.
configure({ asyncUtilTimeout: 30_000 });

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
