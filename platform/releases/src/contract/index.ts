/**
 * Types and rules that the shell, the server, the document and the release commands share. The module has no dependencies,
 * because it runs in browsers and in Node.
 */
export * from './addresses';
export * from './document-flags';
export * from './match-route';
export * from './page-emptiness';
export * from './release-map';
export * from './remote-contract';
export * from './rendering';
