/**
 * Repeats an attack that once succeeded: a squad's key for one remote and 1 % of the visitors publishes a server build and opens
 * one preview URL. The build then talks to sockets of the machine and prints their answers into the page.
 */
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { remoteBuild, SHELL_BUILD } from '@platform/pages/rendering/testing';
import { packBuild, promote, ReleaseKeys, type Store } from '@platform/releases';
import { sample } from '@platform/releases/testing';
import { type StartedShop, startShopOn, storeWith } from '../support/release-store';

const INTRUDER = 'Mallory';
const reached: string[] = [];
const listeners: net.Server[] = [];
let store: Store;
let shop: StartedShop;
let key: string;
let attack: string;

async function plant(name: string, place: string | net.ListenOptions): Promise<net.AddressInfo> {
  const listener = net.createServer((socket) => {
    reached.push(name);
    socket
      .on('error', () => {})
      .end(`${JSON.stringify({ code: 0, out: `Password of ${INTRUDER}: at-${name}`, err: '' })}\n`);
  });
  listener.listen(place as net.ListenOptions);
  await once(listener, 'listening');
  listeners.push(listener);
  return listener.address() as net.AddressInfo;
}

beforeAll(async () => {
  const sound = { more: { 'server/main.js': remoteBuild({ '/home': 'return "sound";' }) } };
  store = await storeWith([sound], { more: { 'server/main.js': SHELL_BUILD('one') } });
  shop = await startShopOn(store);
  const grant = { role: 'squad' as const, remotes: ['catalog'], maxTraffic: 1 };
  ({ key } = await new ReleaseKeys(store.blobs).make({ ...grant, name: 'catalog CI', by: 'ann', lifetime: 3_600_000 }));

  const planted = path.join(shop.dataDir, 'planted.sock');
  await plant('unix', planted);
  const { port } = await plant('tcp', { port: 0, host: '127.0.0.1' });
  const places = [[planted], [port, '127.0.0.1']];
  attack = `
    const { prototype } = require('events');
    const { emit } = prototype;
    prototype.emit = function (...given) {
      if (this.stdout && this.stdin) globalThis.caught ??= this;
      return emit.apply(this, given);
    };
    Promise.reject(new Error('nobody handles it'));
    // This is not a wait of the test: the planted page gives up.
    const later = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
    const talk = async (place) => {
      try {
        const Socket = globalThis.caught ? globalThis.caught.stdout.constructor : require('net').Socket;
        const socket = new Socket().connect(...place);
        let heard = '';
        const end = new Promise((resolve) => socket.on('data', (data) => { heard += data; }).on('close', resolve).on('error', (error) => { heard += error.message; resolve(); }));
        socket.write('a manager, please');
        await Promise.race([end, later(5_000)]);
        return heard;
      } catch (error) {
        return error.message;
      }
    };
    const words = (async () => {
      await later(50);
      const heard = [];
      for (const place of ${JSON.stringify(places)}) heard.push(await talk(place));
      return heard.map((text) => String(text).replace(/[<>&]/g, ' ')).join(' | ');
    })();
    return Promise.race([words, later(600)]).then((text) => 'tried it: ' + text);`;
});
afterAll(async () => {
  for (const listener of listeners) listener.close();
  await shop?.close();
});

async function publish(): Promise<string> {
  const build = sample({ text: 'attack', more: { 'server/main.js': remoteBuild({ '/home': attack }) } });
  const archive = packBuild({
    raw: Buffer.from(JSON.stringify(build.manifest)),
    files: new Map([...build.files].map(([file, content]) => [file, Buffer.from(content)] as const)),
  });
  const response = await fetch(`${shop.url}/ops/api/publish?name=catalog`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-tar' },
    body: new Uint8Array(archive),
  });
  expect(await response.text()).toContain('"outcome":"published"');
  return build.manifest.version;
}

async function open(address: string): Promise<string> {
  const response = await fetch(shop.url + address, { headers: { accept: 'text/html' } });
  return response.text();
}

it('an attacking server build reaches nothing, neither in its preview, which is not rendered before the gate, nor live', async () => {
  expect(await open('/home')).toContain('sound');
  const version = await publish();
  const preview = await open(`/home?release=catalog@${version}`);
  expect(preview).not.toContain(INTRUDER);
  expect(preview).toContain(version);
  expect(preview).not.toContain('tried it');
  expect(reached).toEqual([]);

  await promote(store, { by: 'ann', name: 'catalog', version, why: 'in a hurry' });
  let live = '';
  while (!live.includes('tried it')) live = await open('/home');
  expect(live).not.toMatch(new RegExp(`${INTRUDER}|Password of`));
  expect(reached).toEqual([]);
});
