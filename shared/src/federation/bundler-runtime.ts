/**
 * Module Federation's bundler runtime, cut to what the shop composes with: containers and one share scope. Builds by
 * `@module-federation/enhanced` take it in the place of `@module-federation/webpack-bundler-runtime` (rspack.base.js says
 * where, docs/adr/0001 why). The functions and their arguments are those that the plugin's generated code calls. Finding,
 * verifying, retrying and falling back are the shell's own loader, so there are no remotes, manifests, snapshots or plugins.
 */

type Factory = () => unknown;

/** One version of a shared module; `get` gives its factory, at once when it is eager. */
interface Provided {
  version: string;
  get(): Factory | Promise<Factory>;
}

/** Name of a module, version, what provides it. */
type ShareScope = Record<string, Record<string, Provided>>;

interface Consumer {
  shareKey: string;
  shareInfo: { scope: string[]; shareConfig: { requiredVersion: string } };
}

interface Module {
  exports: unknown;
}

/** The part of a bundle's runtime that is used here; the one-letter names are the bundler's. */
interface BundleRuntime {
  m: Record<string, (module: Module) => void>;
  c: Record<string, unknown>;
  S: Record<string, ShareScope>;
  I(scope: string): unknown;
  federation: {
    initOptions: { name: string; shared: Record<string, Array<Provided & { scope: string[] }>> };
  };
}

interface WithRuntime {
  webpackRequire: BundleRuntime;
}

interface Consumes extends WithRuntime {
  moduleToHandlerMapping: Record<string, Consumer>;
  installedModules: Record<string, unknown>;
}

const parts = (version: string): number[] => version.replace('^', '').split(/[.+-]/, 3).map(Number);

/** Whether a version is in a caret range from 1.0.0 on, which is all that the shop's recipe writes (`rangeOf`). */
export function satisfies(version: string, range: string): boolean {
  const [major = 0, minor = 0, patch = 0] = parts(version);
  const [wantedMajor, wantedMinor = 0, wantedPatch = 0] = parts(range);
  if (major !== wantedMajor) return false;
  return minor > wantedMinor || (minor === wantedMinor && patch >= wantedPatch);
}

/** The shell alone provides, one version of each. Throws when a build needs another: two copies would be two sessions. */
function provided({ S }: BundleRuntime, { shareKey, shareInfo }: Consumer): Provided {
  const range = shareInfo.shareConfig.requiredVersion;
  const versions = S[shareInfo.scope[0] ?? 'default']?.[shareKey] ?? {};
  const found = Object.entries(versions).find(([version]) => satisfies(version, range));
  if (found) return found[1];
  const there = Object.keys(versions).join(', ') || 'nothing';
  throw new Error(`Unsatisfied version of shared singleton ${shareKey}: ${range} is needed, ${there} is provided`);
}

function install({ webpackRequire, installedModules }: Consumes, id: string, factory: () => unknown): void {
  webpackRequire.m[id] = (module) => {
    installedModules[id] = 0;
    delete webpackRequire.c[id];
    module.exports = factory();
  };
}

const bundlerRuntime = {
  S: {},
  init({ webpackRequire }: WithRuntime): { name: string } {
    const { name: bundle, shared } = webpackRequire.federation.initOptions;
    // What this bundle provides itself; a remote provides nothing.
    for (const [module, versions] of Object.entries(shared)) {
      for (const one of versions) {
        const name = one.scope[0] ?? 'default';
        const scope = webpackRequire.S[name] ?? {};
        webpackRequire.S[name] = { ...scope, [module]: { ...scope[module], [one.version]: one } };
      }
    }
    return { name: bundle };
  },
  /** All is provided from the start; there is nothing to wait for. */
  I: () => true,
  initContainerEntry({ webpackRequire, shareScope }: WithRuntime & { shareScope: ShareScope }): void {
    webpackRequire.S.default = shareScope;
  },
  /** Modules that a chunk takes from the share scope, made ready before the chunk runs. */
  consumes(options: Consumes & { chunkId: string; promises: unknown[]; chunkMapping: Record<string, string[]> }): void {
    const { chunkId, promises, chunkMapping, installedModules, moduleToHandlerMapping, webpackRequire } = options;
    for (const id of chunkMapping[chunkId] ?? []) {
      if (id in installedModules) {
        promises.push(installedModules[id]);
        continue;
      }
      const failed = (error: unknown) => {
        delete installedModules[id];
        install(options, id, () => {
          throw error;
        });
        throw error;
      };
      // In a function: what `provided` throws becomes a rejection.
      const started = (async () => provided(webpackRequire, moduleToHandlerMapping[id] as Consumer).get())();
      installedModules[id] = started.then((factory) => install(options, id, factory), failed);
      promises.push(installedModules[id]);
    }
  },
  /** Modules that a bundle takes at once; only the shell does, from what it provides itself. */
  installInitialConsumes(options: Consumes & { initialConsumes: string[] }): void {
    const { initialConsumes, moduleToHandlerMapping, webpackRequire } = options;
    for (const id of initialConsumes) {
      install(options, id, () => {
        const factory = provided(webpackRequire, moduleToHandlerMapping[id] as Consumer).get();
        if (typeof factory !== 'function') throw new Error(`shared module ${id} is not eager`);
        return factory();
      });
    }
  },
  /** No build names a remote: the release map does. */
  remotes(): void {},
};

export default { bundlerRuntime };
