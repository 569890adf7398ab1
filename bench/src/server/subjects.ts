import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

export interface Usage {
  rss: number;
  cpuMicros: number;
}

export interface RunningSubject {
  url: string;
  /** Resident memory in bytes, and the CPU time of all threads so far. */
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

/** Starts a shop, or without arguments a bare Fastify server. */
export async function startSubject(...shop: [] | [dataDir: string, databaseUrl: string]): Promise<RunningSubject> {
  const child = fork(path.join(__dirname, 'serve.ts'), shop, { execArgv: ['--import', 'tsx'] });
  const { url } = await answerOf<{ url: string }>(child);
  return {
    url,
    usage: () => {
      child.send('usage');
      return answerOf<Usage>(child);
    },
    stop: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function answerOf<T>(child: ChildProcess): Promise<T> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`a process under measurement ended with ${code}`);
  });
  const [answer] = await Promise.race([once(child, 'message'), ended]);
  return answer as T;
}
