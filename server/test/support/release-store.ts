import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openStore, type RouteContract, type Store } from '@platform/releases';
import { publishLive, type Sample } from '@platform/releases/testing';

/** The routes of a remote of this repository, such as "catalog". */
export const routesOf = (remote: string): RouteContract[] =>
  JSON.parse(fs.readFileSync(path.join(__dirname, `../../../mfe-${remote}/remote.json`), 'utf8')).routes;

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
});

/** A release store in a temporary folder, where a shell and a release of each of these remotes are live. */
export async function storeWith(remotes: Sample[], shell: Sample = {}): Promise<Store> {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-releases-'));
  folders.push(place);
  const store = openStore({ place });
  for (const sample of [{ ...shell, name: 'shell' }, ...remotes]) await publishLive(store, sample);
  return store;
}
