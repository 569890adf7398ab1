/** A test file with `@jest-environment node` has no document to set up. */
if (typeof document !== 'undefined') require('./browser-setup.ts');
