/**
 * Replaces `@module-federation/webpack-bundler-runtime` in builds by `@module-federation/enhanced` (recipe.cjs). It supports only
 * containers and one share scope: remotes, integrity, retries and fallback are in platform/host/src, and manifests, snapshots and
 * runtime plugins are not supported (docs/adr/0001). The plugin's generated code calls these functions.
 */

type Factory = () => unknown;

/** One version of a shared module. `get` returns a factory if the module is eager, else a promise of one. */
interface Provided {
  version: string;
  get(): Factory | Promise<Factory>;
}

/** Module name → version → provider. */
type ShareScope = Record<string, Record<string, Provided>>;

interface Consumer {
  shareKey: string;
  shareInfo: { scope: string[]; shareConfig: { requiredVersion: string } };
}

interface Module {
  exports: unknown;
}

/** The used part of the bundler's `__webpack_require__`: modules, module cache, share scopes. */
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

/** Supports caret ranges from 1.0.0 on, the only ones that recipe.cjs writes (`rangeOf`). */
function satisfies(version: string, range: string): boolean {
  const [major = 0, minor = 0, patch = 0] = parts(version);
  const [wantedMajor, wantedMinor = 0, wantedPatch = 0] = parts(range);
  if (major !== wantedMajor) return false;
  return minor > wantedMinor || (minor === wantedMinor && patch >= wantedPatch);
}

/** Throws when no provided version satisfies the range: a second copy of a singleton would be a second session. */
function findProvider({ S }: BundleRuntime, { shareKey, shareInfo }: Consumer): Provided {
  const range = shareInfo.shareConfig.requiredVersion;
  const versions = S[shareInfo.scope[0] ?? 'default']?.[shareKey] ?? {};
  const match = Object.entries(versions).find(([version]) => satisfies(version, range));
  if (match) return match[1];
  const provided = Object.keys(versions).join(', ') || 'nothing';
  throw new Error(`Unsatisfied version of shared singleton ${shareKey}: ${range} is needed, ${provided} is provided`);
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
    // `shared` is empty in a remote.
    for (const [module, versions] of Object.entries(shared)) {
      for (const share of versions) {
        const name = share.scope[0] ?? 'default';
        const scope = webpackRequire.S[name] ?? {};
        webpackRequire.S[name] = { ...scope, [module]: { ...scope[module], [share.version]: share } };
      }
    }
    return { name: bundle };
  },
  /** `__webpack_init_sharing__` has nothing to wait for: the shell provides everything in `init`. */
  I: () => true,
  initContainerEntry({ webpackRequire, shareScope }: WithRuntime & { shareScope: ShareScope }): void {
    webpackRequire.S.default = shareScope;
  },
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
      // The async function turns a throw into a rejection.
      const started = (async () => findProvider(webpackRequire, moduleToHandlerMapping[id] as Consumer).get())();
      installedModules[id] = started.then((factory) => install(options, id, factory), failed);
      promises.push(installedModules[id]);
    }
  },
  installInitialConsumes(options: Consumes & { initialConsumes: string[] }): void {
    const { initialConsumes, moduleToHandlerMapping, webpackRequire } = options;
    for (const id of initialConsumes) {
      install(options, id, () => {
        const factory = findProvider(webpackRequire, moduleToHandlerMapping[id] as Consumer).get();
        if (typeof factory !== 'function') throw new Error(`shared module ${id} is not eager`);
        return factory();
      });
    }
  },
  /** Remotes come from the release map, so no build declares any. */
  remotes(): void {},
};

export default { bundlerRuntime };
