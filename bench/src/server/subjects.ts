import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { until } from '../../../scripts/jest/until';
import type { Subject } from './serve';

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

export async function startSubject(subject: Subject): Promise<RunningSubject> {
  const child = fork(path.join(__dirname, 'serve.ts'), {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, DATABASE_URL: '', DATA_DIR: '' },
  });
  child.send(subject);
  const { url } = await answerOf<{ url: string }>(child);
  const isReady = () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  if (subject.kind === 'shop') await until(`an answer of ${url}`, isReady);
  return {
    url,
    usage: () => {
      child.send('usage');
      return answerOf<Usage>(child);
    },
    stop: async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

function answerOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`a process under measurement ended with ${code}`));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(message as T);
    });
  });
}
