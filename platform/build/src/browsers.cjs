'use strict';
/**
 * The oldest browsers that run the scripts, which are ES2022. The styles are compiled for the same ones: for older browsers each
 * logical property would become a rule for every writing direction. All of them predate `100dvh`, so the fallback `100vh` stays.
 */
const BROWSERS = ['chrome >= 94', 'safari >= 15.4', 'firefox >= 93'];

module.exports = { BROWSERS };
