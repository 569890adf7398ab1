'use strict';
/**
 * A loader that empties functions of a library which no page of the shop can reach, so that the minimiser drops them and all
 * that only they use. `functions` says which: `name`, `Class.method` or the left side of an assignment → what the body becomes, or null for a body that throws
 * and names itself. Published files are printed with two spaces an indentation; a name that is not there exactly once fails the
 * build, so that another version of the library is looked at rather than guessed.
 */
module.exports = function leaveOut(source) {
  const lines = source.split('\n');
  for (const [name, body] of Object.entries(this.getOptions().functions)) {
    const [start, end] = bodyOf(lines, name, this.resourcePath);
    lines.splice(start + 1, end - start - 1, body ?? `throw Error("left out: ${name}");`);
  }
  return lines.join('\n');
};

/** The lines that open and close a function; between them stands its body. */
function bodyOf(lines, name, file) {
  const assigned = lines.indexOf(lines.find((line) => line.startsWith(`${name} = function (`)));
  if (assigned >= 0) return [opening(lines, assigned), lines.indexOf('};', assigned)];
  const [method, owner] = name.split('.').reverse();
  const from = owner ? only(lines, new RegExp(`^class ${owner}\\b.*\\{$`), 0, lines.length, name, file) : 0;
  const to = owner ? lines.indexOf('}', from) : lines.length;
  const head = owner ? new RegExp(`^  (?:static )?${method}\\(`) : new RegExp(`^ *(?:async )?function ${method}\\(`);
  const first = only(lines, head, from, to, name, file);
  const [indent] = /^ */.exec(lines[first]);
  const open = opening(lines, first);
  const close = lines.indexOf(`${indent}}`, open);
  if (close < 0) throw new Error(`${file}: ${name} does not end where it is looked for`);
  return [open, close];
}

/** A list of parameters may stand on several lines, and one that is taken apart opens with a brace of its own. */
function opening(lines, first) {
  let line = first;
  while (!lines[line].endsWith('{') || (line === first && lines[line].endsWith('({'))) line += 1;
  return line;
}

function only(lines, pattern, from, to, name, file) {
  const found = [];
  for (let line = from; line < to; line += 1) if (pattern.test(lines[line])) found.push(line);
  if (found.length !== 1) throw new Error(`${file}: ${name} is there ${found.length} times, and is to be left out`);
  return found[0];
}
