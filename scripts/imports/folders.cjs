/** Refuses cycles between folders, of programs only: a test may import what its folder does not. */
const { options, tests } = require('./common.cjs');

module.exports = {
  forbidden: [
    {
      name: 'no-folder-cycle',
      comment: 'These folders import each other: one of them has to come first.',
      scope: 'folder',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
  ],
  options: { ...options, exclude: { path: [...options.exclude.path, ...tests] } },
};
