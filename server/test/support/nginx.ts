import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { nginx } from '@platform/pages/testing/nginx';
import { until } from '../../../scripts/jest/until';
import { freePort } from './shop-process';

export { nginx };

const deploy = path.join(__dirname, '../../../deploy/nginx');

export interface Front {
  url: string;
  /** What it has logged as an error. */
  errors(): string;
  stop(): Promise<void>;
}

/** A configuration of the project: the static shop with the API behind it, or the caching proxy before the shop servers. */
type Site = 'shop.conf' | 'cdn.conf';

export interface FrontOptions {
  site?: Site;
  /** How long it keeps idle connections to the servers, in milliseconds; as configured by default. */
  keepAliveMs?: number;
}

/** The real nginx with the project's own configuration on a free port, before the servers at these ports. */
export async function startNginx(
  servers: number[],
  { site: name = 'shop.conf', keepAliveMs }: FrontOptions = {},
): Promise<Front> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-front-'));
  const port = await freePort();
  const configured = fs.readFileSync(path.join(deploy, name), 'utf8');
  const [, options = ''] = /server (?:127\.0\.0\.1|shop-1):8080(.*);/.exec(configured) ?? [];
  const site = configured
    .replaceAll('/var/lib/shop/store', folder)
    .replaceAll('/var/cache/nginx/shop', path.join(folder, 'cache'))
    .replaceAll('/etc/nginx/shop-page-headers.conf', path.join(deploy, 'shop-page-headers.conf'))
    .replace(/listen (443 ssl http2|8080)/, `listen 127.0.0.1:${port}`)
    .replace(/^.*(listen \[::\]|ssl_certificate).*$/gm, '')
    .replace(/^ *server (127\.0\.0\.1|shop-\d):8080.*\n/gm, '')
    .replace(/^upstream .*$/m, (line) =>
      [line, ...servers.map((one) => `server 127.0.0.1:${one}${options};`)].join('\n'),
    )
    .replace(/keepalive_timeout .*;/, (line) => (keepAliveMs ? `keepalive_timeout ${keepAliveMs}ms;` : line));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  fs.writeFileSync(
    path.join(folder, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root;\n' : ''}daemon off;\nworker_processes 1;\npid ${folder}/pid;\nerror_log ${folder}/error.log;\nevents {}\nhttp {\naccess_log off;\n${temporary.join('\n')}\n${site}\n}\n`,
  );
  const child: ChildProcess = spawn(nginx ?? '', ['-p', folder, '-c', path.join(folder, 'nginx.conf')], {
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${url}/api/front/goods/category`).then(
      (answer) => answer.ok,
      () => false,
    );
  await until('nginx', answers).catch((cause) => {
    throw new Error(`nginx does not answer: ${fs.readFileSync(path.join(folder, 'error.log'), 'utf8')}`, { cause });
  });
  return {
    url,
    errors: () => fs.readFileSync(path.join(folder, 'error.log'), 'utf8'),
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
