'use strict';
/**
 * What a build uses of others, for its manifest: links to pages, calls, and of each call the fields that it could read or send.
 * A field counts when the code has the name of each step of its path: whatever it is called on the way, code cannot read
 * a property that it nowhere names, but by going through all of them (docs/adr/0067-what-is-live-fits.md).
 */
const fs = require('node:fs');
const path = require('node:path');
const { readings } = require('./loader.cjs');

/** Every word in the sources of a folder, tests apart: shared code reads fields for the remotes that call it. */
function wordsIn(folder) {
  const words = new Set();
  for (const file of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (/\.[jt]sx?$/.test(file) && !/\.test\.tsx?$/.test(file))
      for (const [word] of fs.readFileSync(path.join(folder, file), 'utf8').matchAll(/[A-Za-z_$][\w$]*/g))
        words.add(word);
  return words;
}

const sorted = (entries) => Object.fromEntries([...entries].sort(([left], [right]) => (left < right ? -1 : 1)));

/** `files`: of the modules in the build. `product.uses` as in recipe.cjs. */
function usesOf({ uses = {} }, files) {
  const read = files.flatMap((file) => readings.get(file) ?? []);
  const shared = uses.readers ? wordsIn(uses.readers) : new Set();
  const names = new Set([...shared, ...read.flatMap((one) => [...one.names])]);
  const isNamed = ([field]) => field === '' || field.split('.').every((step) => step === '*' || names.has(step));
  const links = new Map();
  for (const { path: to, query, remote } of read.flatMap((one) => one.links))
    links.set(to, {
      query: [...new Set([...(links.get(to)?.query ?? []), ...query])].sort(),
      ...(remote && { remote }),
    });
  const shapes = uses.calls?.shapes ?? {};
  const calls = [...new Set(read.flatMap((one) => one.calls))].map((call) => {
    const { takes = {}, answer = {} } = shapes[call] ?? {};
    const isSent = ([field, type]) => !type.split('|').includes('undefined') || isNamed([field]);
    return [
      call,
      {
        takes: Object.fromEntries(Object.entries(takes).filter(isSent)),
        answer: Object.fromEntries(Object.entries(answer).filter(isNamed)),
      },
    ];
  });
  const unknown = calls.map(([call]) => call).filter((call) => uses.calls && !shapes[call]);
  if (unknown.length > 0) throw new Error(`the API has no ${unknown.join(', ')}`);
  return { links: sorted(links), calls: sorted(calls) };
}

module.exports = { usesOf };
