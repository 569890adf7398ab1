import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { until } from '../../scripts/jest/until';

export type Program = ReturnType<typeof startProgram>;

export function startProgram(command: string, args: string[], options: Pick<SpawnOptions, 'cwd' | 'env'> = {}) {
  // It leads a process group, so that the browsers that a driver has started end with it, and the programs that npm has started.
  const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const read = (chunk: Buffer | Error) => {
    output += chunk instanceof Error ? chunk.message : chunk.toString();
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  child.once('error', read);
  const endGroup = () => signalGroup(child);
  process.once('exit', endGroup);
  return {
    /** Its output so far, from both stdout and stderr. */
    output: () => output,
    /** Waits for output that matches. Rejects with the whole output if the program ends without a match, or after `hangMs`. */
    wrote: (pattern: RegExp, hangMs?: number): Promise<RegExpExecArray> => {
      const look = () => {
        const match = pattern.exec(output);
        if (!match && hasEnded(child)) throw new Error(`${command} has ended:\n${output}`);
        return match;
      };
      return until(`output of ${command}`, look, hangMs);
    },
    /** Asks the program and its child processes to end, and waits until they have ended. */
    async end(): Promise<void> {
      process.off('exit', endGroup);
      const ended = hasEnded(child) ? undefined : once(child, 'exit');
      signalGroup(child);
      await ended;
    },
  };
}

const hasEnded = (child: ChildProcess) =>
  child.pid === undefined || child.exitCode !== null || child.signalCode !== null;

function signalGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGTERM');
  } catch {
    // The whole group has ended.
  }
}
