'use strict';
/** Writes test-files.ts: the tests of the workspaces that draw something, but for those of what happens after a press only, and of hooks. */
const fs = require('node:fs');
const path = require('node:path');

const draws = /\brenderPage\b[^;]* from '@shop\/shared\/testing'|\brender\b[^;]* from '@testing-library\/react'/;

/** 'mfe-orders/list/order-list-page' */
const idOf = (directory, file) =>
  path.posix.join(path.basename(directory), file.split(path.sep).join('/')).replace(/\.test\.tsx$/, '');

module.exports = function listTestFiles() {
  const { directories } = this.getOptions();
  const files = directories.flatMap((directory) => {
    const sources = path.join(directory, 'src');
    this.addContextDependency(sources);
    return fs
      .readdirSync(sources, { recursive: true })
      .filter((file) => file.endsWith('.test.tsx') && !/\.failure-modes\.|^use-/.test(path.basename(file)))
      .filter((file) => draws.test(fs.readFileSync(path.join(sources, file), 'utf8')))
      .sort()
      .map((file) => ({ id: idOf(directory, file), request: JSON.stringify(path.join(sources, file)) }));
  });
  const routes = directories.flatMap((directory) => {
    const contract = path.join(directory, 'remote.json');
    if (!fs.existsSync(contract)) return [];
    this.addDependency(contract);
    return JSON.parse(fs.readFileSync(contract, 'utf8')).routes.map(({ page, path: to }) => ({ page, path: to }));
  });
  const listed = files.map(({ id, request }) => `{ id: ${JSON.stringify(id)}, load: () => import(${request}) }`);
  return `export const testFiles = [${listed.join(', ')}];\nexport const routes = ${JSON.stringify(routes)};\n`;
};
