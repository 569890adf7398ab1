import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { remoteBuild, SHELL_BUILD } from '@platform/pages/rendering/testing';
import { freePort } from '@platform/pages/testing/nginx';
import { openStore } from '@platform/releases';
import { publishLive } from '@platform/releases/testing';
import { until } from '../jest/until';

const root = path.resolve(__dirname, '../..');
const containerfile = readFileSync(path.join(root, 'Containerfile'), 'utf8');
/** An unprivileged user. Without root, the test runs as its own user. */
const user = process.getuid?.() === 0 ? 65_534 : undefined;
const onLinux = process.platform === 'linux' ? describe : describe.skip;

function linesOf(stage: string): string[] {
  const [, text = ''] = containerfile.split(new RegExp(`^FROM .* AS ${stage}$`, 'm'));
  const [own = ''] = text.split(/^FROM /m);
  return own.split('\n');
}

/** Copies the packages that the stage `packages` installs from this checkout. */
function copyPackages(folder: string): void {
  const [install = ''] = linesOf('packages').flatMap((line) => /^RUN npm (.+)$/.exec(line)?.[1] ?? []);
  const chosen = install.split(' ').filter((option) => /^--(omit|workspace)=/.test(option));
  const listed = execFileSync('npm', ['ls', '--all', '--parseable', ...chosen], { cwd: root, encoding: 'utf8' });
  const packages = listed.split('\n').filter((place) => /^node_modules\//.test(path.relative(root, place)));
  const outermost = packages.filter((place) => !packages.some((other) => place.startsWith(`${other}/`)));
  const places = outermost.map((place) => path.relative(root, place));
  const needed = places.filter((place) => !place.startsWith('node_modules/@shop/'));
  execFileSync('cp', ['-a', '--parents', ...needed, folder], { cwd: root });
}

function writeFiles(folder: string): void {
  const [command = ''] = linesOf('files').flatMap((line) => /^RUN node (.+) \/image$/.exec(line)?.[1] ?? []);
  execFileSync(process.execPath, [...command.split(' '), folder], { cwd: root });
}

onLinux('a container image of the server', () => {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'shop-image-test-'));
  const image = path.join(scratch, 'shop');
  const [data = '', temporary = '', place = ''] = ['data', 'tmp', 'store'].map((name) => path.join(scratch, name));
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'production',
    APP_SECRET: randomBytes(32).toString('base64'),
    CARD_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    PUBLIC_URL: 'https://shop.example',
    STAFF_URL: 'https://staff.shop.example',
    PORT: '0',
    LOG: 'off',
    DRAIN_SECONDS: '0',
    DATA_DIR: data,
    TMPDIR: temporary,
    RELEASE_STORE: place,
  };
  let server: ChildProcess;
  let url: string;
  let staffPort: number;

  const options = { cwd: image, env, ...(user && { uid: user, gid: user }) };
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { ...options, encoding: 'utf8' });
    return { code: status, output: stdout + stderr };
  };
  const get = async (address: string, headers: Record<string, string> = {}) => {
    const isConsole = headers.host !== undefined;
    const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
      const { port } = isConsole ? { port: staffPort } : new URL(url);
      http
        .get({ host: 'localhost', port, path: address, headers: { accept: 'text/html', ...headers } }, resolve)
        .on('error', reject);
    });
    return { status: answer.statusCode, type: answer.headers['content-type'], text: await text(answer) };
  };

  beforeAll(async () => {
    staffPort = await freePort();
    env.STAFF_PORT = String(staffPort);
    chmodSync(scratch, 0o755);
    for (const folder of [image, data, temporary]) mkdirSync(folder);
    if (user) for (const folder of [data, temporary]) chownSync(folder, user, user);
    copyPackages(image);
    writeFiles(image);
    const store = openStore({ place });
    await publishLive(store, { name: 'shell', more: { 'server/main.js': SHELL_BUILD('one') } });
    const pages = remoteBuild({ '/home': `return '<p>rendered home</p>';` });
    await publishLive(store, { more: { 'server/main.js': pages } });
    // Read-only, like the root of the container.
    execFileSync('chmod', ['-R', 'a-w', image]);
  });
  afterAll(async () => {
    server?.kill('SIGKILL');
    execFileSync('chmod', ['-R', 'u+w', scratch]);
    rmSync(scratch, { recursive: true, force: true });
  });

  it('the image contains no path of the checkout that built it', () => {
    expect(readFileSync(path.join(image, 'server.js'), 'utf8')).not.toContain(root);
    expect(existsSync(path.join(image, 'node_modules/tsx'))).toBe(false);
  });

  it('the image migrates the database before a server starts', () => {
    expect(run('server.js', 'migrate')).toEqual({ code: 0, output: 'The database is ready.\n' });
  });

  it('the image contains the release commands', () => {
    expect(run('shop.js', 'staff-setup')).toEqual({ code: 0, output: expect.stringContaining('/staff/setup#') });
  });

  it('the image serves the shop as another user from read-only files', async () => {
    server = spawn(process.execPath, ['server.js'], options);
    let output = '';
    for (const stream of [server.stdout, server.stderr]) stream?.on('data', (chunk) => (output += chunk));
    await until('the server', () => /Shop ready: \S+/.test(output) || server.exitCode !== null);
    [, url = ''] = /Shop ready: (\S+)/.exec(output) ?? [];
    expect(output).toContain('Shop ready');
    expect((await get('/healthz')).status).toBe(200);
    const home = await get('/home');
    expect(home.text).toContain('<p>rendered home</p>');
    expect(JSON.parse((await get('/api/front/app/config')).text).code).toBe(200);
    const atConsole = { host: 'staff.shop.example' };
    const staff = await get('/staff', atConsole);
    const [picture = ''] = readdirSync(path.join(root, 'server/seed/media'));
    for (const [address, type, headers] of [
      [`/media/${picture}`, 'image/'],
      ['/sw.js', 'javascript'],
      [`/media/${picture}`, 'image/', atConsole],
      ['/ops', 'text/html', atConsole],
      ['/staff', 'text/html', atConsole],
      [/href="(\/staff\/[^"]+\.css)"/.exec(staff.text)?.[1] ?? '', 'text/css', atConsole],
      [/src="(\/staff\/[^"]+\.js)"/.exec(staff.text)?.[1] ?? '', 'javascript', atConsole],
    ] as const) {
      const { status, type: got, text } = await get(address, headers);
      expect([address, status, got]).toEqual([address, 200, expect.stringContaining(type)]);
      expect(text.length).toBeGreaterThan(100);
    }
  });

  it('the image is healthy by its own check, and exits with 0 on SIGTERM', async () => {
    const [, check = ''] = /HEALTHCHECK [^[]*\n\s+CMD (\[.*\])/.exec(containerfile) ?? [];
    const [, ...args] = JSON.parse(check) as string[];
    const { port } = new URL(url);
    const here = args.map((one) => one.replace(':8080', `:${port}`));
    expect(run(...here).code).toBe(0);
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(run(...here).code).toBe(1);
  });
});
