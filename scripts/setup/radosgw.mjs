#!/usr/bin/env node
/**
 * A real S3-compatible bucket on this machine, for the nightly run: Ceph's object gateway (Debian's radosgw) over one monitor and
 * one in-memory object store, as plain processes on free ports. Nothing outlives it.
 *
 *   node scripts/setup/radosgw.mjs   starts it, prints the variables to use it, ends on Ctrl-C or when its standard input ends
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAMS = ['radosgw', 'radosgw-admin', 'ceph', 'ceph-mon', 'ceph-osd', 'monmaptool'];
const PACKAGES = ['radosgw', 'ceph-mon', 'ceph-osd'];
const START_MS = 60_000;

const onPath = (program) =>
  [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin'].some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

const hasRadosgw = () => process.platform === 'linux' && PROGRAMS.every(onPath);

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/**
 * One daemon of each kind, without replicas, manager or keys, on loopback only. A short `paxos propose interval`, since the
 * default of a second makes the creation of pools slow.
 */
const configuration = ({ folder, fsid, monitorPort, gatewayPort }) => `[global]
fsid = ${fsid}
mon host = [v2:127.0.0.1:${monitorPort}/0]
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
ms mon client mode = crc
ms client mode = crc
ms cluster mode = crc
ms service mode = crc
keyring = ${folder}/keyring
run dir = ${folder}
admin socket = ${folder}/$name.asok
pid file = ${folder}/$name.pid
log file = ${folder}/$name.log
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
osd objectstore = memstore
memstore device bytes = 2147483648
osd class load list = *
osd class default list = *
mon allow pool size one = true
mon max pg per osd = 1000
mon data avail crit = 1
paxos propose interval = 0.02
paxos min wait = 0.01
[mon.a]
mon data = ${folder}/mon
[osd.0]
osd data = ${folder}/osd
[client.rgw]
rgw data = ${folder}
rgw frontends = beast endpoint=127.0.0.1:${gatewayPort} tcp_nodelay=1
rgw enable gc threads = false
rgw enable lc threads = false
rgw run sync thread = false
rgw enable usage log = false
`;

/** Starts a gateway with an empty bucket. Throws with the end of its logs when it does not come up. */
async function startRadosgw() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'shop-radosgw-'));
  const [monitorPort, gatewayPort] = [await freePort(), await freePort()];
  const fsid = randomUUID();
  const file = path.join(folder, 'ceph.conf');
  const daemons = [];
  const ended = new Map();
  const run = (program, ...args) => {
    const { status, stderr, error } = spawnSync(program, ['-c', file, ...args], {
      encoding: 'utf8',
      timeout: START_MS,
    });
    if (status !== 0) throw new Error(`${program} ${args[0]}: ${error?.message ?? stderr.trim()}`);
  };
  const daemon = (program, ...args) => {
    const child = spawn(program, ['-c', file, ...args, '-f'], { stdio: 'ignore' });
    child.once('exit', (code, signal) => ended.set(program, code ?? signal));
    child.once('error', (error) => ended.set(program, error.message));
    daemons.push(child);
  };
  const stop = async () => {
    // The gateway first: it would wait for the others.
    for (const child of daemons.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const gone = new Promise((resolve) => child.once('exit', resolve));
      // All data is in memory, so there is nothing to clean up.
      child.kill('SIGKILL');
      await gone;
    }
    rmSync(folder, { recursive: true, force: true });
  };

  try {
    for (const name of ['mon', 'osd']) mkdirSync(path.join(folder, name));
    writeFileSync(path.join(folder, 'keyring'), '');
    writeFileSync(file, configuration({ folder, fsid, monitorPort, gatewayPort }));
    const monmap = path.join(folder, 'monmap');
    run('monmaptool', '--create', '--fsid', fsid, '--addv', 'a', `[v2:127.0.0.1:${monitorPort}/0]`, monmap);
    run('ceph-mon', '-i', 'a', '--mkfs', '--monmap', monmap);
    daemon('ceph-mon', '-i', 'a');
    const osd = randomUUID();
    run('ceph', '--connect-timeout', '30', 'osd', 'new', osd);
    run('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', osd);
    daemon('ceph-osd', '-i', '0');
    const accessKeyId = randomBytes(10).toString('hex');
    const secretAccessKey = randomBytes(20).toString('hex');
    run(
      'radosgw-admin',
      ...['user', 'create', '--uid=shop', '--display-name=shop'],
      `--access-key=${accessKeyId}`,
      `--secret-key=${secretAccessKey}`,
    );
    daemon('radosgw', '-n', 'client.rgw');
    const endpoint = `http://127.0.0.1:${gatewayPort}`;
    for (const deadline = Date.now() + START_MS; ; ) {
      if (ended.size > 0) throw new Error(`${[...ended].map(([name, how]) => `${name} ended with ${how}`).join(', ')}`);
      if ((await fetch(endpoint).catch(() => null))?.ok) break;
      if (Date.now() > deadline) throw new Error('the gateway did not answer in a minute');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const bucket = 'releases';
    // Whoever only imports this file may not have installed any package yet.
    const { CreateBucketCommand, S3Client } = await import('@aws-sdk/client-s3');
    const client = new S3Client({
      endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId, secretAccessKey },
      forcePathStyle: true,
    });
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    client.destroy();
    const env = {
      AWS_ENDPOINT_URL: endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      S3_TEST: `s3://${bucket}/test`,
    };
    return { endpoint, bucket, env, stop };
  } catch (error) {
    const log = ['mon.a', 'osd.0', 'client.rgw'].map((name) => {
      try {
        return `${name}: ${readFileSync(path.join(folder, `${name}.log`), 'utf8')
          .trim()
          .split('\n')
          .slice(-3)
          .join('\n')}`;
      } catch {
        return `${name}: no log`;
      }
    });
    await stop();
    throw new Error(`radosgw did not start: ${error.message}\n${log.join('\n')}`);
  }
}

/**
 * Starts the gateway in a separate process, which ends with this one even if this one is killed. Returns its environment
 * variables, or the reason why there is none.
 */
export async function radosgwBeside() {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url)], { stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  const ready = await new Promise((resolve) => {
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (output.includes('# ready')) resolve(true);
    });
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    child.once('exit', () => resolve(false));
  });
  if (!ready) return { env: null, reason: errors.trim(), stop() {} };
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.unref();
  child.unref();
  const env = Object.fromEntries([...output.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
  return { env, reason: '', stop: () => child.stdin.end() };
}

async function main() {
  if (!hasRadosgw()) {
    throw new Error(`radosgw is not installed (Debian: apt-get install --no-install-recommends ${PACKAGES.join(' ')})`);
  }
  const gateway = await startRadosgw();
  for (const [name, value] of Object.entries(gateway.env)) console.log(`export ${name}=${value}`);
  console.log(`# ready; try: RELEASE_STORE=s3://${gateway.bucket}/shop npm run release -- status`);
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await gateway.stop();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
  // The pipe also ends when the parent process is killed.
  process.stdin.on('end', stop).on('error', stop).resume();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
}
