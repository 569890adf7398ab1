import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TimeOf } from './process-time';

const run = promisify(execFile);
const SCRIPT = join(__dirname, 'rendering-process.cjs');

/** What the machine adds to Node's own limits, outermost first; each is used only where it works. */
const WRAPPERS = {
  /** The system ends the process with the server, even if both the server is killed and the process loops. */
  ends: ['setpriv', '--pdeathsig', 'KILL', '--no-new-privs'],
  /** Memory outside of V8's heap; no dump of a process that ran out of it. */
  memory: ['prlimit', `--data=${768 * 1024 * 1024}`, '--core=0'],
  /** No network and no other process in sight. */
  network: ['unshare', '--user', '--net', '--pid', '--ipc', '--fork', '--kill-child'],
};

export interface Launcher {
  /** Command and arguments before Node's own. */
  wrapper: string[];
  /** What this machine cannot do; for the operator. */
  missing: Array<keyof typeof WRAPPERS>;
  /** Why no process starts at all. */
  fault?: string;
  /** By default what the system says. */
  timeOf?: TimeOf;
}

let detected: Promise<Launcher> | undefined;

/** Looked at once in the life of the server. */
export function launcher(): Promise<Launcher> {
  detected ??= detect();
  return detected;
}

async function detect(): Promise<Launcher> {
  const names = Object.keys(WRAPPERS) as Array<keyof typeof WRAPPERS>;
  const works = await Promise.all(
    names.map(async (name) => {
      const [command = '', ...given] = WRAPPERS[name];
      return run(command, [...given, process.execPath, '--version'], { timeout: 5_000, env: {} }).then(
        () => true,
        () => false,
      );
    }),
  );
  const found: Launcher = {
    wrapper: names.filter((_, index) => works[index]).flatMap((name) => WRAPPERS[name]),
    missing: names.filter((_, index) => !works[index]),
  };
  return { ...found, fault: await faultOf(found) };
}

/** A process whose input has ended at once ends well. */
export async function faultOf(candidate: Launcher): Promise<string | undefined> {
  const [command = '', ...given] = commandOf(candidate, [], 64);
  const trial = run(command, given, { timeout: 10_000, env: {} });
  trial.child.stdin?.end();
  return trial.then(
    () => undefined,
    (error: Error & { stderr?: string }) => (error.stderr || error.message).trim().split('\n').at(-1),
  );
}

const PERMISSION = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission';

/** The whole command of a process that may read these directories and nothing else. */
export function commandOf({ wrapper }: Launcher, directories: readonly string[], heapMegabytes: number): string[] {
  return [
    ...wrapper,
    process.execPath,
    PERMISSION,
    ...[SCRIPT, ...directories.map((directory) => join(directory, '*'))].map((place) => `--allow-fs-read=${place}`),
    `--max-old-space-size=${heapMegabytes}`,
    '--disallow-code-generation-from-strings',
    '--no-warnings',
    SCRIPT,
  ];
}
