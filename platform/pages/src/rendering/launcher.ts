import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The unit of times in Linux's /proc. */
const TICK_MS = 10;

/**
 * Restrictions of the operating system around the runtime, outermost first; each is used only if it works. The runtime is a
 * sandbox, but its authors do not guarantee that it has no flaws.
 */
const WRAPPERS = {
  /** The system ends the process with the server, even if the server is killed while the process loops. */
  ends: ['setpriv', '--pdeathsig', 'KILL', '--no-new-privs'],
  /** The runtime reserves 570 MB of this when it starts. A process that runs out of memory writes no core dump. */
  memory: ['prlimit', `--data=${1_200 * 1024 * 1024}`, '--core=0'],
  /** The process has no network and sees no other process. */
  network: ['unshare', '--user', '--net', '--pid', '--ipc', '--fork', '--kill-child'],
};

export interface WatchedProcess {
  usedMs: number;
  /** Whether its main thread waits, so that more processor time would not help. */
  isWaiting: boolean;
  residentBytes: number;
}

export interface Launcher {
  wrapper: string[];
  binary: string;
  missing: Array<keyof typeof WRAPPERS>;
  fault?: string;
  watch?: (id: number) => WatchedProcess | undefined;
}

let detected: Promise<Launcher> | undefined;

export function launcher(): Promise<Launcher> {
  detected ??= detect();
  return detected;
}

/** npm does not install the runtime's package on a system that it does not support. */
const findRuntime = (): string => (require('workerd') as { default: string }).default;

export async function detect(find = findRuntime): Promise<Launcher> {
  const names = Object.keys(WRAPPERS) as Array<keyof typeof WRAPPERS>;
  let binary: string;
  try {
    binary = find();
  } catch (error) {
    return { wrapper: [], binary: '', missing: names, fault: `workerd is not installed (${firstLine(error)})` };
  }
  const alone = await faultOf([], binary);
  if (alone) return { wrapper: [], binary, missing: names, fault: `workerd does not start: ${alone}` };
  const faults = await Promise.all(names.map((name) => faultOf(WRAPPERS[name], binary)));
  const result: Launcher = {
    wrapper: names.filter((_, index) => !faults[index]).flatMap((name) => WRAPPERS[name]),
    binary,
    missing: names.filter((_, index) => faults[index]),
  };
  const together = await faultOf(result.wrapper, binary);
  return together ? { ...result, fault: `workerd does not start: ${together}` } : result;
}

const TRIAL = 'using Workerd = import "/workerd/workerd.capnp";\nconst config :Workerd.Config = ();\n';

/** The runtime exits successfully at once when it has nothing to serve. */
async function faultOf(wrapper: string[], binary: string): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'rendering-trial-'));
  try {
    const file = join(folder, 'config.capnp');
    await writeFile(file, TRIAL);
    const [command = '', ...args] = [...wrapper, binary, 'serve', file];
    await run(command, args, { timeout: 30_000, env: {} });
    return undefined;
  } catch (error) {
    return firstLine((error as { stderr?: string }).stderr || error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const firstLine = (error: unknown): string =>
  String(error instanceof Error ? error.message : error)
    .trim()
    .split('\n')[0] ?? '';

/** Reads the innermost process below this one, because the wrappers are around it. Returns undefined when it is unknown. */
export function watchProcess(id: number): WatchedProcess | undefined {
  try {
    const inner = innermost(id);
    const [, rest = ''] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${inner}/stat`, 'utf8')) ?? [];
    const fields = rest.split(' ');
    const [, kilobytes] = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${inner}/status`, 'utf8')) ?? [];
    return {
      usedMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
      isWaiting: fields[0] === 'S',
      residentBytes: Number(kilobytes ?? 0) * 1024,
    };
  } catch {
    return undefined;
  }
}

function innermost(id: number): number {
  const [child] = readFileSync(`/proc/${id}/task/${id}/children`, 'utf8').split(' ');
  return child ? innermost(Number(child)) : id;
}
