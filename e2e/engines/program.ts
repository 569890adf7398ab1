/** Browsers, their drivers and screens as processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Program {
  /** What it has written so far, on both of its outputs. */
  output(): string;
  /** Waits until it has written that. Rejects with all that it has written when it ends without. */
  wrote(pattern: RegExp): Promise<RegExpExecArray>;
  /** Asks the program and all that it has started to end, and waits until it has. */
  end(): Promise<void>;
}

export function startProgram(command: string, args: string[], env: NodeJS.ProcessEnv = {}): Program {
  // Leads a group, by which the browsers that a driver has started can be ended with it.
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
          const found = pattern.exec(output);
          if (!found && !hasEnded(child)) return;
          waiting.delete(check);
          if (found) resolve(found);
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
    // All of it has ended.
  }
}
