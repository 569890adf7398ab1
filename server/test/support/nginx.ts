import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { nginx, readConfiguration } from '@platform/pages/testing/nginx';
import { until } from '../../../scripts/jest/until';
import { freePort } from './shop-process';

export { nginx };

export interface Front {
  url: string;
  errors(): string;
  drain(port: number): Promise<void>;
  admit(port: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the real nginx with the project's caching proxy (cdn.conf) on a free port, in front of the servers at these ports. It
 * keeps idle connections to them for `keepAliveMs`.
 */
export async function startNginx(servers: number[], keepAliveMs: number): Promise<Front> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-front-'));
  const port = await freePort();
  const configured = readConfiguration('cdn.conf', folder);
  const [, options = ''] = /server shop-1:8080(.*);/.exec(configured) ?? [];
  const site = configured
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replace(/^ *server shop-\d:8080.*\n/gm, '')
    .replace(/^upstream .*$/m, (line) =>
      [line, ...servers.map((server) => `server 127.0.0.1:${server}${options};`)].join('\n'),
    )
    .replace(/keepalive_timeout .*;/, `keepalive_timeout ${keepAliveMs}ms;`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const file = path.join(folder, 'nginx.conf');
  const drained = new Set<number>();
  const configure = () => {
    const upstream = [...drained].reduce(
      (text, port) => text.replace(new RegExp(`^(server 127\\.0\\.0\\.1:${port}\\b.*);$`, 'm'), '$1 down;'),
      site,
    );
    fs.writeFileSync(
      file,
      `${process.getuid?.() === 0 ? 'user root;\n' : ''}daemon off;\nworker_processes 1;\npid ${folder}/pid;\nerror_log ${folder}/error.log notice;\nevents {}\nhttp {\naccess_log off;\n${temporary.join('\n')}\n${upstream}\n}\n`,
    );
  };
  configure();
  const child: ChildProcess = spawn(nginx ?? '', ['-p', folder, '-c', file], { stdio: 'ignore' });
  const log = () => fs.readFileSync(path.join(folder, 'error.log'), 'utf8');
  const workersEnded = () => log().match(/worker process \d+ exited with code 0/g)?.length ?? 0;
  const reload = async () => {
    const before = workersEnded();
    configure();
    child.kill('SIGHUP');
    await until('the worker of before to end', () => workersEnded() > before);
  };
  const url = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${url}/api/front/goods/category`).then(
      (answer) => answer.ok,
      () => false,
    );
  await until('nginx', answers).catch((cause) => {
    throw new Error(`nginx does not answer: ${log()}`, { cause });
  });
  return {
    url,
    errors: () => log().replace(/^.*\[notice\].*\n/gm, ''),
    drain: (server) => {
      drained.add(server);
      return reload();
    },
    admit: (server) => {
      drained.delete(server);
      return reload();
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
