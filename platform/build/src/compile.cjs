'use strict';
/**
 * Compiles one workspace after another by the product's recipe, whose file is the argument, in a separate process: under the
 * TypeScript loader that runs the other scripts, code that a bundler's plugin builds in would carry that loader's helpers
 * (`__name`) and fail in browsers. Receives a CompileRequest as message. Sends the result, or an `error`.
 */
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { decode, encode } = require('@jridgewell/sourcemap-codec');
const { rspack } = require('@rspack/core');
const { containerInterface, groupOf, serverFolder } = require('./recipe.cjs');

/** @type {import('./types').Recipe} */
const base = require(/** @type {string} */ (process.argv[2]));

/** @typedef {Map<string, string>} Renamed old name of a file to its new name */

/**
 * The integrity plugin writes its tables of hashes in an order that changes from build to build. Sorted, the same source gives
 * the same bytes, and files whose name contains a hash are renamed by their new content. Only an entry contains such a table, and
 * no other file names an entry.
 * @param {string} output
 * @returns {Renamed}
 */
function makeReproducible(output) {
  /** @type {Renamed} */
  const renamed = new Map();
  for (const file of fs.readdirSync(output).filter((name) => name.endsWith('.js'))) {
    const source = fs.readFileSync(path.join(output, file), 'utf8');
    const sorted = source.replace(/(\.sri(?:ExtractCss)?Hashes=)\{([^{}]*)\}/g, (_, start, entries) => {
      const parts = entries.split(',').filter(Boolean);
      return `${start}{${parts.sort((/** @type {string} */ left, /** @type {string} */ right) => (left < right ? -1 : 1)).join(',')}}`;
    });
    if (!/\.sri(?:ExtractCss)?Hashes=\{/.test(source)) continue;
    const hash = createHash('sha256').update(sorted).digest('hex').slice(0, 8);
    const name = file.replace(/\.[0-9a-f]{8}\.js$/, `.${hash}.js`);
    fs.rmSync(path.join(output, file));
    fs.writeFileSync(path.join(output, name), sorted);
    if (name !== file) renamed.set(file, name);
  }
  return renamed;
}

/**
 * Normalizes Module Federation's manifest, which its tools and official hosts read. Its lists follow the order of compilation, so
 * they are sorted. The plugin's statistics next to it name source files and are of no use in a release.
 * @param {string} output
 * @param {Renamed} renamed
 */
function normalizeManifest(output, renamed) {
  fs.rmSync(path.join(output, 'mf-stats.json'), { force: true });
  const file = path.join(output, 'mf-manifest.json');
  /** @param {{ id: string }} left @param {{ id: string }} right */
  const byId = (left, right) => (left.id < right.id ? -1 : 1);
  const manifest = JSON.parse(fs.readFileSync(file, 'utf8'), (_key, value) => {
    if (typeof value === 'string') return renamed.get(value) ?? value;
    if (!Array.isArray(value)) return value;
    return value[0]?.id === undefined ? value.sort() : value.sort(byId);
  });
  fs.writeFileSync(file, JSON.stringify(manifest, null, 2));
}

/** A source of this repository: the maps of a server build name no other. */
const ownSource = /^(?!.*node_modules)[\w@./-]+\.[jt]sx?$/;

/**
 * Removes mappings to the bundler's own code, whose sources contain the path of this checkout and would differ from folder to
 * folder.
 * @param {string} folder
 */
function removeBundlerMappings(folder) {
  for (const name of fs.readdirSync(folder).filter((file) => file.endsWith('.map'))) {
    const file = path.join(folder, name);
    /** @type {{ sources: string[], mappings: string }} */
    const map = JSON.parse(fs.readFileSync(file, 'utf8'));
    const lines = decode(map.mappings).map((segments) =>
      segments
        .map((segment) =>
          ownSource.test(map.sources[segment[1] ?? -1] ?? '') ? withoutName(segment) : withoutLocation(segment),
        )
        .filter((segment, at, all) => segment.length > 1 || all[at - 1]?.length !== 1),
    );
    const sources = map.sources.map((source) => (ownSource.test(source) ? source : ''));
    fs.writeFileSync(file, JSON.stringify({ ...map, sources, names: [], mappings: encode(lines) }));
  }
}

/** @typedef {import('@jridgewell/sourcemap-codec').SourceMapSegment} Segment */
/** @param {Segment} segment @returns {Segment} */
const withoutName = (segment) => /** @type {Segment} */ (segment.slice(0, 4));
/** @param {Segment} segment @returns {Segment} */
const withoutLocation = ([column]) => [column];

/**
 * Moves the maps of browser scripts to the files that only the server has (sourceMapOf in @platform/releases).
 * @param {string} output
 * @param {Renamed} renamed
 */
function moveSourceMaps(output, renamed) {
  const folder = path.join(output, serverFolder, 'browser');
  fs.mkdirSync(folder, { recursive: true });
  for (const name of fs.readdirSync(output).filter((file) => file.endsWith('.map'))) {
    const script = name.slice(0, -'.map'.length);
    const from = path.join(output, name);
    if (script.endsWith('.js')) {
      const map = JSON.parse(fs.readFileSync(from, 'utf8'));
      const file = renamed.get(script) ?? script;
      fs.writeFileSync(path.join(folder, `${file}.map`), JSON.stringify({ ...map, file }));
    }
    fs.rmSync(from);
  }
  removeBundlerMappings(folder);
}

/** @param {import('@rspack/core').Stats} stats */
function filesIn({ compilation: { chunkGraph, chunks } }) {
  /** @type {Set<string>} */
  const files = new Set();
  /** @param {import('@rspack/core').Module & { modules?: import('@rspack/core').Module[] }} module */
  const visit = (module) => {
    if (module.modules) for (const inner of module.modules) visit(inner);
    const file = module.nameForCondition?.();
    if (file && path.isAbsolute(file)) files.add(file);
  };
  for (const chunk of chunks) for (const module of chunkGraph.getChunkModules(chunk)) visit(module);
  return files;
}

/**
 * @param {import('@rspack/core').Configuration} config
 * @returns {Promise<{ stats: import('@rspack/core').Stats, files: Set<string> }>}
 */
function run(config) {
  const compiler = rspack(config);
  return new Promise((resolve, reject) => {
    compiler.run((error, stats) => {
      const files = error || !stats || stats.hasErrors() ? new Set() : filesIn(stats);
      compiler.close(() => {
        if (error) reject(error);
        else if (!stats || stats.hasErrors())
          reject(new Error(stats?.toString({ preset: 'errors-only', colors: false }) ?? 'nothing was built'));
        else resolve({ stats, files });
      });
    });
  });
}

/** @param {import('./types').CompileRequest} request @returns {Promise<import('./types').Compiled>} */
async function compile({ name, directory, version, output }) {
  const recipe = name === 'shell' ? base.hostConfig : base.remoteConfig;
  const browser = recipe(directory, { version });
  const { stats, files } = await run({
    ...browser,
    // A release contains maps with locations only, for errors that tabs report.
    devtool: 'hidden-nosources-source-map',
    output: { ...browser.output, devtoolModuleFilenameTemplate: '[resource-path]', path: output },
  });
  // A shell without a server build has documents with skeletons.
  const rendersPages = name !== 'shell' || fs.existsSync(path.join(directory, 'src/server/main.tsx'));
  if (rendersPages) {
    const server = recipe(directory, { version, server: true });
    const forServer = await run({ ...server, output: { ...server.output, path: path.join(output, serverFolder) } });
    for (const file of forServer.files) files.add(file);
    removeBundlerMappings(path.join(output, serverFolder));
  }
  const renamed = makeReproducible(output);
  normalizeManifest(output, renamed);
  moveSourceMaps(output, renamed);
  const assets = stats.toJson({ all: false, entrypoints: true }).entrypoints?.main?.assets ?? [];
  const names = assets.map(({ name: asset }) => renamed.get(asset) ?? asset);
  const uses = base.usesOf([...files], directory);
  const initial = name === 'shell' ? groupOf(names) : { js: ['remoteEntry.js'], css: [] };
  const common = { runtime: containerInterface, entry: initial.js.at(-1) ?? '', initial };
  if (name === 'shell') return { ...common, ...base.describeHost(stats), uses };
  const remote = JSON.parse(fs.readFileSync(path.join(directory, 'remote.json'), 'utf8'));
  return { ...common, ...base.describeRemote(stats, remote), remote, uses };
}

process.on('message', (/** @type {import('./types').CompileRequest} */ request) => {
  compile(request).then(
    (compiled) => process.send?.(compiled),
    (error) => process.send?.({ error: error.message }),
  );
});
