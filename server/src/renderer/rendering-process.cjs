'use strict';
/*
 * Renders pages with the server builds of releases, in a process of its own. Plain JavaScript, so that no TypeScript loader is needed.
 * Frames of JSON come through standard input and leave through standard output: the set, then requests, one answer each.
 * The releases' code is not trusted. The operating system and Node's permission model hold it; what is taken away here is what
 * they do not cover everywhere, above all the network.
 */
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');

const { readSync, writeSync, readFileSync, statSync } = fs;
const { resolve, dirname, extname, sep } = path;
const { compileFunction } = vm;
const { parse, stringify } = JSON;
const node = process;
const exit = node.exit.bind(node);
const residentMemory = node.memoryUsage.rss;
const nextTurn = () => new Promise((done) => setImmediate(done));

const LONGEST_TEXT = 4_000;
/** Modules of Node that compute and reach nothing. */
const HARMLESS = [
  'assert',
  'buffer',
  'events',
  'path',
  'querystring',
  'stream',
  'string_decoder',
  'url',
  'util',
  'zlib',
];
const GLOBALS_OF_BROWSERS_AND_NETWORK = [
  'fetch',
  'WebSocket',
  'EventSource',
  'BroadcastChannel',
  'navigator',
  'localStorage',
  'sessionStorage',
];
const POWERS_OF_THE_PROCESS = [
  '_debugEnd',
  '_debugProcess',
  '_kill',
  '_linkedBinding',
  '_startProfilerIdleNotifier',
  '_stopProfilerIdleNotifier',
  'abort',
  'binding',
  'chdir',
  'dlopen',
  'exit',
  'getBuiltinModule',
  'kill',
  'loadEnvFile',
  'mainModule',
  'reallyExit',
  'report',
  'setegid',
  'seteuid',
  'setgid',
  'setgroups',
  'setuid',
];

function readExactly(length) {
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; ) {
    const count = readSome(bytes, at);
    if (count === 0) exit(0);
    at += count;
  }
  return bytes;
}

function readSome(bytes, at) {
  try {
    return readSync(0, bytes, at, bytes.length - at, null);
  } catch (error) {
    // Windows reports the end of a pipe as an error.
    if (error.code === 'EOF') return 0;
    throw error;
  }
}

const readFrame = () => parse(readExactly(readExactly(4).readUInt32BE(0)).toString('utf8'));

function writeFrame(value) {
  const content = Buffer.from(stringify(value));
  const frame = Buffer.allocUnsafe(4 + content.length);
  frame.writeUInt32BE(content.length, 0);
  content.copy(frame, 4);
  for (let at = 0; at < frame.length; ) at += writeSync(1, frame, at, frame.length - at);
}

const cut = (text) => String(text ?? '').slice(0, LONGEST_TEXT);
const describe = (error) => ({
  message: cut(error instanceof Error ? `${error.name}: ${error.message}` : error),
  // Without the text in front of a syntax error, which is the whole file where that is one line.
  stack: cut(String(error?.stack ?? '').replace(/^[\s\S]*?(?=^ +at )/m, '')),
});

/** Can be loaded and passed on, since libraries for both browser and server do; using it throws. */
function refused(name) {
  const refuse = () => {
    throw new Error(`a server build may not use "${name}"`);
  };
  const module = new Proxy(function refusedModule() {}, {
    apply: refuse,
    construct: refuse,
    get: (target, key) =>
      typeof key === 'symbol' || key === 'then' || key === '__esModule' || key === 'prototype' ? target[key] : module,
  });
  return module;
}

function harmlessModules() {
  const { AsyncLocalStorage, AsyncResource } = require('node:async_hooks');
  const { createHash, randomBytes, randomUUID, getRandomValues } = require('node:crypto');
  return new Map([
    ...HARMLESS.map((name) => [name, require(`node:${name}`)]),
    ['async_hooks', { AsyncLocalStorage, AsyncResource }],
    ['crypto', { createHash, randomBytes, randomUUID, getRandomValues }],
  ]);
}

/** `require` for files below the directories. Without an importer for modules, `import()` of anything is refused. */
function createLoader(directories) {
  const roots = directories.map((directory) => resolve(directory) + sep);
  const builtins = harmlessModules();
  const loaded = new Map();

  const fileOf = (request, from) => {
    const wanted = resolve(from, request);
    if (!roots.some((root) => wanted.startsWith(root))) throw new Error(`${request} is not of this release`);
    for (const file of [wanted, `${wanted}.js`, `${wanted}.json`, `${wanted}${sep}index.js`]) {
      if (statSync(file, { throwIfNoEntry: false })?.isFile()) return file;
    }
    throw Object.assign(new Error(`${request} is missing in this release`), { code: 'MODULE_NOT_FOUND' });
  };

  const requireFrom = (from) => (request) => {
    if (/^(\.|\/|[A-Za-z]:)/.test(request)) return load(fileOf(request, from));
    const name = request.replace(/^node:/, '');
    const builtin = builtins.get(name) ?? refused(name);
    builtins.set(name, builtin);
    return builtin;
  };

  const load = (file) => {
    const known = loaded.get(file);
    if (known) return known.exports;
    const module = { exports: {}, id: file, filename: file, loaded: false };
    loaded.set(file, module);
    const source = readFileSync(file, 'utf8');
    if (extname(file) === '.json') module.exports = parse(source);
    else {
      const names = ['exports', 'require', 'module', '__filename', '__dirname'];
      const run = compileFunction(source, names, { filename: file });
      run.call(module.exports, module.exports, requireFrom(dirname(file)), module, file, dirname(file));
    }
    module.loaded = true;
    return module.exports;
  };
  return (file) => load(fileOf(file, '/'));
}

/** Routers make requests without sending them. With their class comes the client that could; it is put out of reach. */
function closeHttpClient() {
  void globalThis.Request;
  for (const key of Object.getOwnPropertySymbols(globalThis)) {
    if (key.description?.startsWith('undici.globalDispatcher')) globalThis[key] = refused('http');
  }
}

function lockDown() {
  closeHttpClient();
  for (const name of GLOBALS_OF_BROWSERS_AND_NETWORK) delete globalThis[name];
  const refuse = (name) => () => {
    throw new Error(`a server build may not use process.${name}`);
  };
  const powerless = {
    env: Object.freeze({ NODE_ENV: 'production' }),
    version: node.version,
    versions: { ...node.versions },
    platform: node.platform,
    arch: node.arch,
    release: { name: 'node' },
    argv: [],
    execArgv: [],
    cwd: () => '/',
    uptime: () => node.uptime(),
    hrtime: Object.assign((since) => node.hrtime(since), { bigint: () => node.hrtime.bigint() }),
    nextTick: (work, ...given) => node.nextTick(work, ...given),
    emitWarning: () => {},
    on: () => powerless,
    once: () => powerless,
    off: () => powerless,
    removeListener: () => powerless,
    emit: () => false,
    exit: refuse('exit'),
    kill: refuse('kill'),
    binding: refuse('binding'),
  };
  Object.defineProperty(globalThis, 'process', { value: powerless, writable: false, configurable: false });
  for (const name of POWERS_OF_THE_PROCESS) {
    delete node[name];
    if (name in node) node[name] = undefined;
  }
  const silent = () => {};
  for (const name of Object.keys(console)) if (typeof console[name] === 'function') console[name] = silent;
}

async function answerTo(renderer, request) {
  try {
    return { page: await renderer.render(request) };
  } catch (error) {
    return { error: describe(error) };
  }
}

async function main() {
  // What a page leaves behind (a timer, a promise) belongs to no page any more.
  node.on('uncaughtException', () => {});
  node.on('unhandledRejection', () => {});
  const { set, main: file } = readFrame();
  const load = createLoader([set.shell, ...Object.values(set.remotes)].map(({ directory }) => directory));
  lockDown();
  let renderer;
  try {
    renderer = await load(resolve(set.shell.directory, file)).createRenderer(set);
    if (typeof renderer?.render !== 'function') throw new Error('createRenderer gave no renderer');
  } catch (error) {
    writeFrame({ error: describe(error) });
    exit(1);
  }
  writeFrame({ ready: true });
  for (;;) {
    writeFrame({ ...(await answerTo(renderer, readFrame())), memory: residentMemory() });
    // Promises and due timers of the page run now; nothing of it runs while the process waits for the next one.
    await nextTurn();
  }
}

void main();
