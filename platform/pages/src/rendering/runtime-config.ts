import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ReleaseSet, SERVER_MAIN, type SetRelease, SHELL } from '@platform/releases';

export interface ProcessBuilds {
  set: ReleaseSet;
  /** If set, no code of a remote is loaded: each page of a remote is this text. */
  placeholder?: string;
  /** Each user gets an isolate with the builds, instead of one isolate for all. */
  isPersonal?: boolean;
}

const WORKER = readFileSync(join(__dirname, 'rendering-worker.mjs'), 'utf8');
const ISOLATE_WORKER = readFileSync(join(__dirname, 'isolate-worker.mjs'), 'utf8');
/** Fixes the behaviour of the runtime to that day; a later date may give modules more features. */
const COMPATIBILITY_DATE = '2026-01-01';
const COMPATIBILITY_FLAGS = ['nodejs_compat', 'disallow_eval_during_startup'];
/** File names of a build. Any other character could end a string of the configuration. */
const PLAIN_PATH = /^[\w@.+~-]+(?:\/[\w@.+~-]+)*$/;

export const labelOf = (name: string, { version }: Pick<SetRelease, 'version'>): string => `${name}@${version}`;

/** The set as the shell's server build gets it: its folders are those in the runtime. */
export function setInRuntime({ set }: ProcessBuilds): ReleaseSet {
  const place = (name: string, release: SetRelease) => ({ ...release, directory: `/${labelOf(name, release)}` });
  const remotes = Object.entries(set.remotes).map(([name, release]) => [name, place(name, release)]);
  return { ...set, shell: place(SHELL, set.shell), remotes: Object.fromEntries(remotes) };
}

/**
 * Returns the configuration in the syntax of Cap'n Proto. Network and calls lead to a worker that refuses them: the runtime's own
 * empty network would look up a name before it refuses. Throws BuildError.
 */
export function runtimeConfig(builds: ProcessBuilds, socket: string, heapMegabytes: number): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  v8Flags = ["--max-old-space-size=${heapMegabytes}"],
  services = [
    (name = "pages", worker = .pages),
    (name = "nothing", worker = .nothing),
    (name = "internet", network = (allow = [])),
  ],
  sockets = [(name = "http", address = ${quoted(`unix:${socket}`)}, http = (), service = "pages")],
);
const nothing :Workerd.Worker = (
  modules = [(name = "worker", esModule = ${quoted(NOTHING)})],
  compatibilityDate = "${COMPATIBILITY_DATE}",
  globalOutbound = "nothing",
);
const pages :Workerd.Worker = (
  ${builds.isPersonal ? loadingWorker(builds) : renderingWorker(builds)}
  compatibilityDate = "${COMPATIBILITY_DATE}",
  compatibilityFlags = ${quoted(COMPATIBILITY_FLAGS)},
  globalOutbound = "nothing",
);
`;
}

function renderingWorker(builds: ProcessBuilds): string {
  const modules = filesOf(builds).map(
    ({ path, content }) => `(name = "${path}", ${path.endsWith('.json') ? 'json' : 'commonJsModule'} = ${content})`,
  );
  return `modules = [(name = "worker", esModule = ${quoted(WORKER)}), ${modules.join(',\n    ')}],`;
}

function loadingWorker(builds: ProcessBuilds): string {
  const settings = {
    compatibilityDate: COMPATIBILITY_DATE,
    compatibilityFlags: COMPATIBILITY_FLAGS,
    mainModule: MAIN,
  };
  const files = [{ path: MAIN, content: quoted(WORKER) }, ...filesOf(builds)];
  const texts = files.map(({ path, content }) => `(name = "${path}", text = ${content})`);
  return `modules = [(name = "worker", esModule = ${quoted(ISOLATE_WORKER)})],
  bindings = [
    (name = "LOADER", workerLoader = ()),
    (name = "SETTINGS", json = ${quoted(JSON.stringify(settings))}),
    ${texts.join(',\n    ')},
  ],`;
}

/** No release has a file of this name, because the names of release files begin with the release's label. */
const MAIN = 'worker.mjs';

const NOTHING = 'export default { fetch() { throw new Error("a server build has no network"); } };';

/** A container like those of the remotes. React renders the text between the tags that the shell writes around a page. */
const placeholderContainer = (text: string): string =>
  `exports.init = () => {}; exports.get = async () => () => ({ Component: () => ${JSON.stringify(text)} });`;

function filesOf({ set, placeholder }: ProcessBuilds) {
  const remotes = Object.entries(set.remotes).flatMap(([name, release]) =>
    placeholder === undefined
      ? filesOfRelease(name, release)
      : [fileOf(`${labelOf(name, release)}/${SERVER_MAIN}`, quoted(placeholderContainer(placeholder)))],
  );
  return [...filesOfRelease(SHELL, set.shell), ...remotes];
}

function filesOfRelease(name: string, release: SetRelease) {
  const files = readdirSync(release.directory, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.js(on)?$/.test(file),
  );
  return files.map((file) =>
    fileOf(`${labelOf(name, release)}/${file}`, `embed ${quoted(join(release.directory, file))}`),
  );
}

export class BuildError extends Error {}

/** `content` is in the syntax of the configuration. */
function fileOf(path: string, content: string) {
  if (!PLAIN_PATH.test(path)) throw new BuildError(`a server build has no file like ${JSON.stringify(path)}`);
  return { path, content };
}

/** Cap'n Proto supports those escapes of JSON that occur for quotes, backslashes and lines. */
const quoted = (value: string | string[]): string => JSON.stringify(value);
