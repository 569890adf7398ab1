import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Program {
  /** Its output so far, from both stdout and stderr. */
  output(): string;
  /** Waits for output that matches. Rejects with the whole output if the program ends without a match. */
  wrote(pattern: RegExp): Promise<RegExpExecArray>;
  /** Asks the program and its child processes to end, and waits until they have ended. */
  end(): Promise<void>;
}

export function startProgram(command: string, args: string[], env: NodeJS.ProcessEnv = {}): Program {
  // It leads a process group, so that the browsers that a driver has started end with it.
  const child = spawn(command, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let output = '';
  const waiting = new Set<() => void>();
  const changed = (chunk: Buffer | number | Error | null) => {
    if (chunk instanceof Buffer) output += chunk.toString();
    if (chunk instanceof Error) output += chunk.message;
    for (const check of waiting) check();
  };
  child.stdout.on('data', changed);
  child.stderr.on('data', changed);
  child.once('exit', changed);
  child.once('error', changed);
  const endGroup = () => signalGroup(child);
  process.once('exit', endGroup);
  return {
    output: () => output,
    wrote: (pattern) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const match = pattern.exec(output);
          if (!match && !hasEnded(child)) return;
          waiting.delete(check);
          if (match) resolve(match);
          else reject(new Error(`${command} has ended:\n${output}`));
        };
        waiting.add(check);
        check();
      }),
    async end() {
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
