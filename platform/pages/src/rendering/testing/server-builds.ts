import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ReleaseSet, RenderRequest } from '@platform/releases';
import { IsolatedRenderer, type RendererOptions, type RenderFault } from '../renderer';

export const SHELL_BUILD = (version: string) => `
exports.createRenderer = async (set) => {
  const remotes = new Map();
  for (const [name, { directory }] of Object.entries(set.remotes)) remotes.set(name, require(directory + '/server/main.js'));
  const routes = Object.entries(set.map.microFrontends).flatMap(([name, [entry]]) =>
    (entry.extras.remote?.routes ?? []).map(({ path }) => ({ name, path, shape: new RegExp('^' + path.replace(/:[^/]+/g, '[^/]+') + '$') })));
  const pageOf = async (request) => {
    const route = routes.find(({ shape }) => shape.test(request.path.split('?')[0]));
    const remote = route && remotes.get(route.name);
    if (!remote) return 'shell page';
    return remote.get ? (await remote.get(route.path))().Component() : remote[route.path](request);
  };
  return {
    async render(request) {
      const page = await pageOf(request);
      const { html, wanted } = page.wanted ? page : { html: page, wanted: [] };
      return { html: '<p>shell ${version}</p>' + html, queryState: '{}', wanted };
    },
  };
};`;

export const remoteBuild = (pages: Record<string, string>) =>
  Object.entries(pages)
    .map(([path, body]) => `exports[${JSON.stringify(path)}] = (request) => {\n${body}\n};`)
    .join('\n');

export const STORING_PAGE = `
  const fs = require('node:fs');
  const mine = JSON.stringify(request.answers);
  const read = (get) => { try { return String(get() ?? ''); } catch { return ''; } };
  const found = [
    read(() => globalThis.kept), read(() => process.kept), read(() => Array.prototype.kept), read(() => process.env.KEPT),
    read(() => fs.readFileSync('/tmp/kept', 'utf8')), read(() => Symbol.for('kept').description && globalThis[Symbol.for('kept')]),
    read(() => require('node:module').kept), read(() => require('node:async_hooks').kept),
  ];
  globalThis.kept = (globalThis.kept ?? '') + mine;
  globalThis[Symbol.for('kept')] = mine;
  read(() => { process.kept = mine; });
  read(() => { process.env.KEPT = mine; });
  Array.prototype.kept = mine;
  read(() => fs.writeFileSync('/tmp/kept', mine));
  read(() => { require('node:module').kept = mine; });
  read(() => { require('node:async_hooks').kept = mine; });
  const cached = (async () => {
    const key = 'http://kept.invalid/';
    const before = await (await caches.default.match(key))?.text();
    await caches.default.put(key, new Response(mine, { headers: { 'cache-control': 'max-age=600' } }));
    return before ?? '';
  })().catch(() => '');
  return cached.then((text) => '<p>' + [...found, text].join('').replace(/[<>&]/g, ' ') + '</p>');`;

export const renderRequest = (path: string, overrides: Partial<RenderRequest> = {}): RenderRequest => ({
  path,
  language: 'en',
  currency: 'USD',
  theme: 'light',
  answers: {},
  ...overrides,
});

export interface Build {
  version: string;
  pages: Record<string, string>;
}

class ServerBuilds {
  readonly folder = mkdtempSync(join(tmpdir(), 'shop-server-builds-'));

  set(remotes: Record<string, Build>, shell: { version?: string; source?: string } = {}): ReleaseSet {
    const { version = '1.0.0-aaaaaaaa' } = shell;
    const entries = Object.entries(remotes);
    const releases = entries.map(([name, build]) => {
      const directory = this.write(name, build.version, remoteBuild(build.pages));
      return [name, { version: build.version, directory }];
    });
    const mapEntries = entries.map(([name, build]) => {
      const routes = Object.keys(build.pages).map((path) => ({ path }));
      return [name, [{ metadata: { version: build.version }, extras: { remote: { routes } } }]];
    });
    const map = { channel: 'production', rev: 1, microFrontends: Object.fromEntries(mapEntries) };
    return {
      id: [version, ...entries.map(([name, build]) => `${name}@${build.version}`)].join(' '),
      shell: { version, directory: this.write('shell', version, shell.source ?? SHELL_BUILD(version)) },
      remotes: Object.fromEntries(releases),
      map: map as unknown as ReleaseSet['map'],
    };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private write(name: string, version: string, source: string): string {
    const directory = join(this.folder, name, version);
    const file = join(directory, 'server/main.js');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, source);
    return directory;
  }
}

export function rendererTest(limits: RendererOptions['limits']) {
  const builds = new ServerBuilds();
  const open: IsolatedRenderer[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((renderer) => renderer.close()));
  });
  afterAll(() => builds.remove());
  return {
    builds,
    newRenderer(options: RendererOptions = {}) {
      const renderer = new IsolatedRenderer({ ...options, limits: { processes: 1, ...limits, ...options.limits } });
      open.push(renderer);
      return renderer;
    },
    pages: (bodies: Record<string, string>, version = '2.0.0-22222222') => ({ version, pages: bodies }),
    async outcome(
      renderer: IsolatedRenderer,
      set: Parameters<IsolatedRenderer['render']>[0],
      path: string,
      user?: string,
    ) {
      const faults: RenderFault[] = [];
      const page = await renderer.render(set, renderRequest(path), (fault) => faults.push(fault), user);
      return { html: page?.html, fault: faults[0] };
    },
  };
}

export const renderingProcesses = (server = process.pid): string[] =>
  readdirSync('/proc').filter(
    (id) => /^\d+$/.test(id) && new RegExp(`/renderer-[^/]+-${server}-`).test(commandLineOf(id)),
  );

function commandLineOf(id: string): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
