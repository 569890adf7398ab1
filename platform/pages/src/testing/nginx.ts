import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { until } from '../../../../scripts/jest/until';

const deploy = resolve(__dirname, '..', '..', '..', '..', 'deploy', 'nginx');
/** `npm test` installs it where it is missing, and passes its path. */
export const nginx = [process.env.NGINX_PATH ?? '', '/usr/sbin/nginx', '/usr/local/sbin/nginx', 'nginx'].find(
  (file) => file && spawnSync(file, ['-v']).status === 0,
);

export interface Nginx {
  origin: string;
  stop(): Promise<void>;
}

interface NginxOptions {
  program: string;
  place: string;
  /** Port of the API on this machine; nothing need listen there. */
  apiPort: number;
  /** As deployed: TLS and HTTP/2, with a certificate made for the run. Otherwise plain HTTP. */
  tls?: boolean;
}

export const freePort = () =>
  new Promise<number>((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });

export function readConfiguration(name: 'shop.conf' | 'cdn.conf', folder: string): string {
  const read = (file: string) => readFileSync(join(deploy, file), 'utf8');
  return `${read('cache.conf')}\n${read(name)}`
    .replace('include /etc/nginx/shop/documents.conf;', () => read('documents.conf'))
    .replaceAll('/etc/nginx/shop', deploy)
    .replaceAll('/var/cache/nginx/shop', join(folder, 'cache'));
}

export async function startNginx({ program, place, apiPort, tls = false }: NginxOptions): Promise<Nginx> {
  const folder = await newFolder();
  const port = await freePort();
  const [key, pem] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  if (tls) {
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', pem, ...subject],
      { stdio: 'ignore' },
    );
  }
  let site = readConfiguration('shop.conf', folder)
    .replaceAll('/var/lib/shop/store', place)
    .replace('127.0.0.1:8080', `127.0.0.1:${apiPort}`)
    .replace(/^.*listen \[::\].*$/gm, '');
  site = tls
    ? site
        .replace('listen 443', `listen 127.0.0.1:${port}`)
        .replace('/etc/ssl/shop/fullchain.pem', pem)
        .replace('/etc/ssl/shop/privkey.pem', key)
    : site.replace('listen 443 ssl http2', `listen 127.0.0.1:${port}`).replace(/^.*ssl_certificate.*$/gm, '');
  const { stop } = await runNginx({ program, folder, site });
  return { origin: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, stop };
}

export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'shop-nginx-'));
  await mkdir(join(folder, 'logs'));
  return folder;
}

export async function runNginx({ program, folder, site }: Record<'program' | 'folder' | 'site', string>) {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const file = join(folder, 'nginx.conf');
  const configure = (text: string) =>
    writeFile(
      file,
      // nginx gives up root for its workers, and these must reach the files.
      `${process.getuid?.() === 0 ? 'user root;\n' : ''}daemon off;\nworker_processes 1;\npid ${folder}/pid;\nerror_log stderr notice;\nevents {}\nhttp {\naccess_log off;\n${paths.join('\n')}\n${text}\n}\n`,
    );
  await configure(site);
  const child = spawn(program, ['-p', folder, '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    log += chunk;
    if (/\[(crit|alert|emerg)\]/.test(chunk)) process.stderr.write(chunk);
  });
  const workersEnded = () => log.match(/worker process \d+ exited with code 0/g)?.length ?? 0;
  // nginx logs this line when its ports are open.
  await until('nginx', () => log.includes('start worker process') || child.exitCode !== null);
  if (child.exitCode !== null) throw new Error(`nginx did not start: ${log}`);
  return {
    log: () => log,
    /** Resolves when the worker with the old configuration has ended. */
    reload: async (next: string) => {
      const before = workersEnded();
      await configure(next);
      child.kill('SIGHUP');
      await until('the worker of before to end', () => workersEnded() > before);
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
