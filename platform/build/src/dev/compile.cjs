'use strict';
/**
 * Watches one workspace and builds it for development, in a separate process (../compile.cjs explains why). Arguments: file of the
 * product's recipe, name, directory, output. Sends a DevBuild or {faults} (dev-server.ts) for each build. With "once" as the last argument
 * it writes one build into the output, for a package, and its DevBuild to dev-build.json there.
 */
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { rspack } = require('@rspack/core');
const { groupOf } = require('../recipe.cjs');

const [recipe = '', name = '', directory = '', output = '', once] = process.argv.slice(2);
/** @type {import('../types').Recipe} */
const base = require(recipe);

/** @typedef {import('@rspack/core').Stats} Stats */
/** @typedef {import('./dev-server').DevBuild} DevBuild */
/** @typedef {import('./dev-server').DevFault} DevFault */
/** @typedef {{ faults: DevFault[] } | DevBuild} Message */

/** @param {Message} message */
const send = (message) => process.send?.(message);
const isShell = name === 'shell';
const contractFile = path.join(directory, 'remote.json');
/** Makes the version unique per start, so that a browser never mixes the modules of two. */
const started = Date.now().toString(36);
let starts = 0;
/** @type {import('@rspack/core').Watching | undefined} */
let watching;

function start() {
  starts += 1;
  // An open page applies the builds of one start in turn. A changed set of pages is another version, which the page loads by a reload.
  const version = `0.0.0-dev${started}-${starts}`;
  const folder = once ? output : path.join(output, version);
  const configOf = isShell ? base.hostConfig : base.remoteConfig;
  const config = configOf(directory, { version, mode: 'development', hot: true });
  const compiler = rspack({
    ...config,
    ...(once && { devtool: false }),
    output: { ...config.output, path: folder, clean: false, devtoolModuleFilenameTemplate: '[absolute-resource-path]' },
  });
  /** @param {Error | null} error @param {Stats} [stats] @returns {{ faults: DevFault[] } | DevBuild} */
  const built = (error, stats) => {
    if (error || !stats) return { faults: [{ message: error?.stack ?? 'nothing was built' }] };
    if (stats.hasErrors()) return { faults: (stats.toJson({ all: false, errors: true }).errors ?? []).map(faultOf) };
    return describe(version, folder, stats);
  };
  if (once) {
    compiler.run((error, stats) => {
      const build = built(error, stats);
      if ('faults' in build) throw new Error(build.faults.map(withLocation).join('\n'));
      fs.writeFileSync(path.join(folder, 'dev-build.json'), JSON.stringify({ ...build, folder: '.' }));
      compiler.close(() => process.exit(0));
    });
    return;
  }
  watching = compiler.watch({ aggregateTimeout: 5 }, (error, stats) => send(built(error, stats)));
}

/** @param {DevFault} fault */
const withLocation = ({ message, file, line }) => (file ? `${file}:${line}: ${message}` : message);

/**
 * Describes an error, with its location in the source, relative to the workspace.
 * @param {import('@rspack/core').StatsError} error
 * @returns {DevFault}
 */
function faultOf({ message, moduleName = '', loc = '' }) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of terminals
  const text = message.replace(/\u001b\[[\d;]*m/g, '');
  // The compiler prints the line, with its number, and marks the location below it.
  const printed = /^ *(\d+) │ .*\n *· ( *)/m.exec(text);
  const [line, column] = printed ? [Number(printed[1]), (printed[2] ?? '').length + 1] : loc.split(/[:-]/).map(Number);
  if (!moduleName) return { message: text };
  const file = path.relative(directory, path.resolve(directory, moduleName.split('!').at(-1) ?? ''));
  return { message: text, file, ...(line ? { line, column: column || 1 } : {}) };
}

/** @param {string} file */
const integrityOf = (file) => `sha384-${createHash('sha384').update(fs.readFileSync(file)).digest('base64')}`;

/** @param {string} version @param {string} folder @param {Stats} stats @returns {DevBuild} */
function describe(version, folder, stats) {
  const assets = stats.toJson({ all: false, entrypoints: true }).entrypoints?.main?.assets ?? [];
  const shell = groupOf(assets.map((asset) => asset.name).filter((asset) => !/hot-update/.test(asset)));
  // An open page requests the entry of its own map, whose hash it knows.
  const entry = isShell ? (shell.js.at(-1) ?? '') : `remoteEntry.${stats.hash}.js`;
  if (!isShell) fs.copyFileSync(path.join(folder, 'remoteEntry.js'), path.join(folder, entry));
  // Loaders require the integrity of an entry, and documents find style sheets by theirs.
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const listed = names.filter((file) => file === entry || (file.endsWith('.css') && !/hot-update/.test(file)));
  const files = Object.fromEntries(listed.map((file) => [file, integrityOf(path.join(folder, file))]));
  const initial = isShell ? shell : { js: [entry], css: [] };
  const milliseconds = (stats.endTime ?? 0) - (stats.startTime ?? 0);
  return { version, hash: stats.hash ?? '', folder, files, entry, initial, milliseconds };
}

/** The routes of the contract name the modules to build, and the map contains it, so a change restarts the build. */
function watchContract() {
  let current = fs.readFileSync(contractFile, 'utf8');
  fs.watch(directory, (_event, file) => {
    if (file !== 'remote.json' || !fs.existsSync(contractFile)) return;
    const content = fs.readFileSync(contractFile, 'utf8');
    // Editors write a file in several steps.
    if (content === current || !content.trim()) return;
    current = content;
    try {
      JSON.parse(content);
    } catch (error) {
      send({ faults: [{ message: String(error), file: 'remote.json' }] });
      return;
    }
    watching?.close(start);
  });
}

if (once) {
  fs.rmSync(output, { recursive: true, force: true });
  fs.mkdirSync(output, { recursive: true });
} else {
  process.on('exit', () => fs.rmSync(output, { recursive: true, force: true }));
  process.on('SIGTERM', () => process.exit());
  process.on('disconnect', () => process.exit());
}
start();
if (!isShell && !once) watchContract();
