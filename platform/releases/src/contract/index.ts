/** What shell, server, document and the release commands agree on. No dependencies: it runs in browsers and in Node. */
export * from './addresses';
export * from './document-flags';
export * from './gate-flow';
export * from './match-route';
export * from './page-emptiness';
export * from './release-map';
export * from './remote-contract';
export * from './rendering';
export * from './select-entry';
