'use strict';
/**
 * Watches one workspace and builds it for development, in a separate process (compile.cjs says why). Arguments: file of the product's
 * recipe, name, directory, output. Each build sends a DevBuild (dev-server.ts) or {error}.
 */
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { rspack } = require('@rspack/core');

const [recipe, name, directory, output] = process.argv.slice(2);
const base = require(recipe);
/** Makes the version unique per start, so that a browser never mixes the modules of two. */
const started = Date.now().toString(36);

function start() {
  // One version for all builds of a start: the page reloads after each, so two builds never share a document.
  const configOf = name === 'shell' ? base.hostConfig : base.remoteConfig;
  const version = `0.0.0-dev${started}`;
  const config = configOf(directory, { version, mode: 'development' });
  const compiler = rspack({ ...config, output: { ...config.output, path: output, clean: false } });
  compiler.watch({ aggregateTimeout: 30 }, (error, stats) => {
    if (error) return process.send({ error: String(error.stack ?? error) });
    if (stats.hasErrors()) return process.send({ error: stats.toString({ preset: 'errors-only', colors: false }) });
    const files = {};
    for (const file of fs.readdirSync(output, { recursive: true })) {
      const full = path.join(output, file);
      if (!fs.statSync(full).isFile() || !/\.(js|css|json)$/.test(file)) continue;
      const content = fs.readFileSync(full);
      files[file] = {
        size: content.length,
        integrity: `sha384-${createHash('sha384').update(content).digest('base64')}`,
      };
    }
    const exposes =
      name === 'shell'
        ? {}
        : base.describeRemote(stats, JSON.parse(fs.readFileSync(path.join(directory, 'remote.json'), 'utf8'))).exposes;
    const assets = (stats.toJson({ all: false, entrypoints: true }).entrypoints?.main?.assets ?? []).map(
      (asset) => asset.name,
    );
    process.send({
      version,
      files,
      exposes,
      initial: {
        js: assets.filter((file) => file.endsWith('.js')),
        css: assets.filter((file) => file.endsWith('.css')),
      },
      milliseconds: stats.endTime - stats.startTime,
    });
  });
}

fs.rmSync(output, { recursive: true, force: true });
fs.mkdirSync(output, { recursive: true });
start();
process.on('disconnect', () => process.exit(0));
