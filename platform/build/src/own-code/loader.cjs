'use strict';
/**
 * After the compiler: reads each own module (read-module.cjs), keeps what it uses for `usesOf`, and refuses what a component may not
 * do while it draws (drawing-rules.cjs). Faults name file and line. A line is argued by a comment on it or above it:
 * `// build-ignore: the reason`.
 */
const fs = require('node:fs');
const path = require('node:path');
const { SourceMap } = require('node:module');
const { rspack } = require('@rspack/core');
const { drawingFaults } = require('./drawing-rules.cjs');
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

const isArgued = (line = '') => /build-ignore: *\S/.test(line);

/** The faults with the lines of their source, without those that are argued there. */
async function placed(faults, code, file, swc) {
  if (faults.length === 0) return [];
  const source = fs.readFileSync(file, 'utf8');
  const { map } = await rspack.experiments.swc.transform(source, { ...swc, filename: file, sourceMaps: true });
  const places = new SourceMap(JSON.parse(map));
  const lines = source.split('\n');
  const found = faults.flatMap(({ at, what }) => {
    const before = code.slice(0, at).split('\n');
    const { originalLine = 0 } = places.findEntry(before.length - 1, before.at(-1).length);
    const isFine = isArgued(lines[originalLine]) || isArgued(lines[originalLine - 1]);
    return isFine ? [] : [{ line: originalLine + 1, what }];
  });
  return found.sort((left, right) => left.line - right.line);
}

module.exports = async function ownCodeLoader(code, map) {
  const done = this.async();
  const { links, calls, instead, directory, swc } = this.getOptions();
  const file = this.resourcePath;
  try {
    const read = readModule(code, {
      links: links && { ...links, isFrom: fromModule(links, file) },
      calls: calls && { ...calls, isFrom: fromModule(calls, file) },
    });
    const faults = [...read.faults, ...drawingFaults(read.program, instead)];
    for (const { line, what } of await placed(faults, code, file, swc)) {
      const error = new Error(`${path.relative(directory, file)}:${line}: ${what}`);
      error.stack = error.message;
      this.emitError(error);
    }
    readings.set(file, { names: read.names, links: read.links, calls: read.calls });
    done(null, read.code, map);
  } catch (error) {
    done(error);
  }
};
module.exports.readings = readings;
