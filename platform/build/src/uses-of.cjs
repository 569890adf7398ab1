'use strict';
/**
 * Collects the pages that a build links to and the calls that it makes, for its manifest, from the sources of its modules
 * (docs/adr/0002-releases-are-data.md). The names of both must be literal where they are used.
 */
const fs = require('node:fs');
const path = require('node:path');

/**
 * Returns imported names by local name, for the imports of a source from the module that the product calls `name` and whose
 * sources are in `folder`.
 * @param {string} source
 * @param {string} file
 * @param {{ name: string, folder: string }} module
 */
function importedNames(source, file, { name, folder }) {
  /** @type {Map<string, string>} */
  const names = new Map();
  if (file.startsWith(folder + path.sep)) return names;
  for (const [, list = '', from = ''] of source.matchAll(/^import (?:\w+, )?\{([^}]*)\} from '([^']+)'/gm)) {
    const target = from.startsWith('.') ? path.resolve(path.dirname(file), from) : from;
    if (target !== name && target !== folder && !target.startsWith(folder + path.sep)) continue;
    for (const [, imported = '', local = imported] of list.matchAll(/(\w+)(?: as (\w+))?/g)) names.set(local, imported);
  }
  return names;
}

/**
 * Returns the texts of the constants of a module, which may contain each other.
 * @param {string} source
 */
function constantsOf(source) {
  /** @type {Map<string, string | undefined>} */
  const constants = new Map();
  for (const [, name = '', literal = ''] of source.matchAll(/^(?:export )?const (\w+) = ('[^']*'|`[^`]*`);/gm))
    constants.set(name, textOf(literal, constants));
  return constants;
}

/**
 * Returns the text of a literal, a template of constants, or a constant; undefined for anything else.
 * @param {string} expression
 * @param {ReadonlyMap<string, string | undefined>} constants
 * @returns {string | undefined}
 */
function textOf(expression, constants) {
  if (/^'[^']*'$/.test(expression)) return expression.slice(1, -1);
  if (!/^`[^`]*`$/.test(expression)) return constants.get(expression);
  let isKnown = true;
  const text = expression.slice(1, -1).replace(/\$\{(\w+)\}/g, (_, name) => {
    const value = constants.get(name);
    isKnown &&= value !== undefined;
    return value ?? '';
  });
  return isKnown ? text : undefined;
}

/**
 * Yields the first argument of each call of one of these functions: [name of the function, expression, line].
 * @param {string} source
 * @param {string[]} names
 * @returns {Generator<[string, string, number]>}
 */
function* firstArguments(source, names) {
  if (names.length === 0) return;
  const call = new RegExp(`(?<![.\\w])(${names.join('|')})(?:<[^()]*>)?\\(\\s*('[^']*'|\`[^\`]*\`|[^,)]*)`, 'g');
  for (const { 1: name = '', 2: expression = '', index } of source.matchAll(call))
    yield [name, expression.trim(), source.slice(0, index).split('\n').length];
}

/**
 * Returns by name the pages of the product, of the remote itself, and those elsewhere that it names.
 * @param {import('./types').UsedModules} uses
 * @param {string} directory
 * @returns {Record<string, import('./types').LinkedPage>}
 */
function pagesFor({ links }, directory) {
  const file = path.join(directory, 'remote.json');
  /** @type {Partial<import('@platform/releases/contract').RemoteContract>} */
  const contract = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
  const ownPages = (contract.routes ?? []).map(({ path: to, page }) => [
    page.replace('./', ''),
    { path: to, remote: contract.name },
  ]);
  const elsewhere = Object.entries(contract.links ?? {}).map(([page, to]) => [page, { path: to }]);
  return { ...links?.routes, ...Object.fromEntries([...elsewhere, ...ownPages]) };
}

/**
 * Returns the paths of all pages by name.
 * @param {import('./types').ProductRecipe} product
 * @param {string} directory
 */
const pathsOfPages = ({ uses = {} }, directory) =>
  Object.fromEntries(Object.entries(pagesFor(uses, directory)).map(([name, { path: to }]) => [name, to]));

/**
 * Returns the paths of the pages that the workspace or the product's shared sources link to.
 * @param {import('./types').ProductRecipe} product
 * @param {string} directory
 * @returns {Record<string, string>}
 */
function linkedPages(product, directory) {
  const { links } = product.uses ?? {};
  if (!links) return {};
  const named = new RegExp(`\\b${links.function}\\(\\s*'([\\w-]+)'`, 'g');
  const names = new Set();
  for (const folder of [path.join(directory, 'src'), path.dirname(links.folder)])
    for (const file of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      if (/\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !path.join(folder, file).startsWith(links.folder))
        for (const [, name] of fs.readFileSync(path.join(folder, file), 'utf8').matchAll(named)) names.add(name);
  return sorted(Object.entries(pathsOfPages(product, directory)).filter(([name]) => names.has(name)));
}

/**
 * @template T
 * @param {Iterable<[string, T]>} entries
 * @returns {Record<string, T>}
 */
const sorted = (entries) => Object.fromEntries([...entries].sort(([left], [right]) => (left < right ? -1 : 1)));

/**
 * Throws for a use that it cannot read.
 * @param {import('./types').ProductRecipe} product
 * @param {Iterable<string>} files of the modules in the build of the workspace in `directory`
 * @param {string} directory
 */
function usesOf({ uses = {} }, files, directory) {
  const pages = pagesFor(uses, directory);
  /** @type {Map<string, { remote?: string }>} */
  const links = new Map();
  /** @type {Set<string>} */
  const calls = new Set();
  for (const file of files) {
    const source = fs.readFileSync(file, 'utf8');
    const constants = constantsOf(source);
    /** @param {number} line @param {string} what */
    const fault = (line, what) => new Error(`${path.relative(directory, file)}:${line}: ${what}`);
    const linkNames = uses.links ? importedNames(source, file, uses.links) : new Map();
    const linkFunctions = [...linkNames].filter(([, name]) => name === uses.links?.function).map(([local]) => local);
    for (const [name, expression, line] of firstArguments(source, linkFunctions)) {
      const page = textOf(expression, new Map());
      if (page === undefined) throw fault(line, `${name}() needs the name of the page written out`);
      if (!pages[page])
        throw fault(
          line,
          `no page is called "${page}": a remote names its pages in remote.json, and those of remotes elsewhere under "links"`,
        );
      const { path: to, remote } = pages[page];
      links.set(to, { ...(remote && { remote }) });
    }
    const callNames = uses.calls ? importedNames(source, file, uses.calls) : new Map();
    /** @param {string} local */
    const methodOf = (local) => uses.calls?.methods[callNames.get(local) ?? ''];
    for (const [name, expression, line] of firstArguments(source, [...callNames.keys()].filter(methodOf))) {
      const to = textOf(expression, constants);
      if (to === undefined) throw fault(line, `the address of ${name}() must be written out`);
      const call = `${methodOf(name)} ${to}`;
      if (uses.calls?.names && !uses.calls.names.includes(call)) throw fault(line, `the API has no ${call}`);
      calls.add(call);
    }
  }
  return { links: sorted(links), calls: [...calls].sort() };
}

module.exports = { linkedPages, pathsOfPages, usesOf };
