import fs from 'node:fs';
import path from 'node:path';
import { openStore, type RouteContract, type Store } from '@platform/releases';
import { publishLive, type Sample, scratch } from '@platform/releases/testing';
import { buildApp } from '../../src/app';
import type { Config } from '../../src/config';
import type { AppContext } from '../../src/context';
import { liveReleases } from '../../src/live-releases.plugin';
import type { App } from '../../src/platform/http/request';

/** The routes of a remote of this repository, such as "catalog". */
export const routesOf = (remote: string): RouteContract[] =>
  JSON.parse(fs.readFileSync(path.join(__dirname, `../../../mfe-${remote}/remote.json`), 'utf8')).routes;

/** A release store in a temporary folder, where a shell and a release of each of these remotes are live. */
export async function storeWith(remotes: Sample[], shell: Sample = {}): Promise<Store> {
  const store = openStore({ place: await scratch() });
  for (const sample of [{ ...shell, name: 'shell' }, ...remotes]) await publishLive(store, sample);
  return store;
}

/** The shop with the documents of the store's releases, which waits for their descriptions on a busy machine too. */
export function shopWith(
  context: AppContext,
  store: Store,
  { publicUrl = '', ...changes }: Partial<Config> & { publicUrl?: string } = {},
): Promise<App> {
  const plugins = [liveReleases({ store, watchEvery: 0, describeWithinMs: 20_000 })];
  const providers = { ...context.config.providers, publicUrl };
  return buildApp({ ...context, config: { ...context.config, ...changes, providers }, plugins });
}
