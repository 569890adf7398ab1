'use strict';
/** After the compiler: reads each own module (read-module.cjs) and keeps what it uses for `usesOf`. Faults name file and line. */
const fs = require('node:fs');
const path = require('node:path');
const { SourceMap } = require('node:module');
const { rspack } = require('@rspack/core');
const { readModule } = require('./read-module.cjs');

/** By file, what the last build in this process has read. */
const readings = new Map();

/** Whether an import in `file` is of the module that a product calls `name` and whose sources are in `folder`. */
const fromModule =
  ({ name, folder }, file) =>
  (source) => {
    if (source === name) return true;
    if (!source.startsWith('.') || file.startsWith(folder)) return false;
    const target = path.resolve(path.dirname(file), source);
    return target === folder || target.startsWith(folder + path.sep);
  };

/** The line of the source that an offset of the compiled code is of. */
async function lineOf(code, at, file, swc) {
  const source = fs.readFileSync(file, 'utf8');
  const { map } = await rspack.experiments.swc.transform(source, { ...swc, filename: file, sourceMaps: true });
  const before = code.slice(0, at).split('\n');
  const origin = new SourceMap(JSON.parse(map)).findEntry(before.length - 1, before.at(-1).length);
  return (origin.originalLine ?? 0) + 1;
}

module.exports = async function usesLoader(code, map) {
  const done = this.async();
  const { links, calls, directory, swc } = this.getOptions();
  const file = this.resourcePath;
  try {
    const read = readModule(code, {
      links: links && { ...links, isFrom: fromModule(links, file) },
      calls: calls && { ...calls, isFrom: fromModule(calls, file) },
    });
    for (const { at, what } of read.faults) {
      const error = new Error(`${path.relative(directory, file)}:${await lineOf(code, at, file, swc)}: ${what}`);
      error.stack = error.message;
      this.emitError(error);
    }
    readings.set(file, read);
    done(null, read.code, map);
  } catch (error) {
    done(error);
  }
};
module.exports.readings = readings;
