import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openStore, routesOverlap } from '@platform/releases';
import { backOfficeWithReleases } from '@shop/backoffice/releases';
import { SITE } from '@shop/shared/site';
import { contextWithoutDatabase } from '../../test/support/routes';
import { buildApp } from '../app';

const FILES = ['/icon.svg', '/manifest.webmanifest', '/sw.js', '/offline.html'];

it('a remote cannot claim an address that the server answers itself', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-routes-'));
  const urls = new Set<string>();
  const app = await buildApp({
    ...contextWithoutDatabase(folder),
    plugins: backOfficeWithReleases({ store: openStore({ place: folder }), watchEvery: 0 }).plugins,
    onRoute: ({ url }) => urls.add(url),
  });
  await app.ready();
  await app.close();
  const serverUrls = [...urls].filter((url) => url !== '/*' && !FILES.includes(url));
  expect(serverUrls.length).toBeGreaterThan(100);
  const open = serverUrls.filter((url) => {
    const [, first] = url.split('/');
    return !SITE.serverRoutes.some((route) => routesOverlap(`/${first}`, route));
  });
  expect(open).toEqual([]);
});
