import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { list } from 'tar';

interface Registry {
  url: string;
  close(): void;
}

interface Manifest {
  name: string;
  version: string;
}

async function manifestIn(file: string): Promise<Manifest> {
  let text = '';
  const onReadEntry = (entry: {
    path: string;
    on(event: 'data', read: (chunk: Buffer) => void): void;
    resume(): void;
  }) => {
    if (entry.path === 'package/package.json') entry.on('data', (chunk) => (text += chunk));
    else entry.resume();
  };
  await list({ file, onReadEntry });
  return JSON.parse(text) as Manifest;
}

export async function openRegistry(packed: readonly string[]): Promise<Registry> {
  const tarballs = new Map(packed.map((file) => [path.basename(file), readFileSync(file)]));
  const packuments = new Map<string, object>();
  const server = http.createServer((request, response) => {
    const name = decodeURIComponent((request.url ?? '').slice(1));
    const tarball = tarballs.get(name);
    if (tarball) return response.setHeader('content-type', 'application/octet-stream').end(tarball);
    const packument = packuments.get(name);
    response.setHeader('content-type', 'application/json').statusCode = packument ? 200 : 404;
    response.end(JSON.stringify(packument ?? { error: 'not found' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  for (const file of packed) {
    const manifest = await manifestIn(file);
    const { name, version } = manifest;
    const integrity = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
    const dist = { tarball: `${url}${path.basename(file)}`, integrity };
    packuments.set(name, { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } });
  }
  return {
    url,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
