import { randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';

export type StoreFault =
  | 'silent'
  | 'unavailable'
  /** Amazon answers 409 while another conditional write is in flight. */
  | 'conflict'
  | 'full'
  /** The content is stored, but the answer does not arrive. */
  | 'lost';

export interface S3StandIn {
  faultOf: (key: string) => StoreFault | undefined;
  /** How the bucket answers a PUT with `If-None-Match: *`. */
  conditional: (key: 'free' | 'used' | 'removed') => { status: number; isStored: boolean };
  keys(): string[];
  connect(options?: S3ClientConfig): S3Client;
  close(): void;
}

export const conditionalWrites: S3StandIn['conditional'] = (key) =>
  key === 'used' ? { status: 412, isStored: false } : { status: 200, isStored: true };

const STATUS = { unavailable: 503, conflict: 409, full: 507 } as const;

export async function s3StandIn(): Promise<S3StandIn> {
  const objects = new Map<string, Buffer>();
  const removed = new Set<string>();
  const clients: S3Client[] = [];
  const standIn: S3StandIn = {
    faultOf: () => undefined,
    conditional: conditionalWrites,
    keys: () => [...objects.keys()],
    connect(options = {}) {
      const client = new S3Client({
        endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        region: 'us-east-1',
        credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
        forcePathStyle: true,
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
        ...options,
      });
      clients.push(client);
      return client;
    },
    close() {
      for (const client of clients) client.destroy();
      server.close();
      server.closeAllConnections();
    },
  };

  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://bucket');
    const key = decodeURIComponent(url.pathname).replace(/^\/bucket\/?/, '');
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const answer = (status: number, body: string | Buffer = '', headers = {}) =>
        response.writeHead(status, headers).end(body);
      const found = objects.get(key);
      const error = (status: number, code: string) =>
        answer(status, request.method === 'HEAD' ? '' : `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`, {
          'content-type': 'application/xml',
        });
      if (url.searchParams.has('list-type')) {
        const prefix = url.searchParams.get('prefix') ?? '';
        const delimiter = url.searchParams.get('delimiter');
        const rest = [...objects.keys()]
          .filter((name) => name.startsWith(prefix))
          .map((name) => name.slice(prefix.length));
        const items = [...new Set(delimiter ? rest.map((name) => name.replace(/\/.*/, '/')) : rest)].map((name) =>
          name.endsWith('/')
            ? `<CommonPrefixes><Prefix>${prefix}${name}</Prefix></CommonPrefixes>`
            : `<Contents><Key>${prefix}${name}</Key></Contents>`,
        );
        const list = `<ListBucketResult>${items.join('')}<IsTruncated>false</IsTruncated></ListBucketResult>`;
        return answer(200, `<?xml version="1.0"?>${list}`, { 'content-type': 'application/xml' });
      }
      if (request.method === 'PUT') {
        const fault = standIn.faultOf(key);
        if (fault === 'silent') return undefined;
        if (fault && fault !== 'lost') return error(STATUS[fault], fault);
        const state = found ? 'used' : removed.has(key) ? 'removed' : 'free';
        const { status, isStored } =
          request.headers['if-none-match'] === '*' ? standIn.conditional(state) : { status: 200, isStored: true };
        if (isStored) objects.set(key, Buffer.concat(chunks));
        if (status !== 200) return error(status, `Status${status}`);
        if (fault === 'lost') return request.socket.destroy();
        return answer(200, '', { etag: `"${randomBytes(8).toString('hex')}"` });
      }
      if (request.method === 'DELETE') {
        if (objects.delete(key)) removed.add(key);
        return answer(204);
      }
      if (!found) return error(404, 'NoSuchKey');
      // An entity tag of the content, so that a stamp changes with it.
      const etag = `"${found.toString('hex').slice(0, 32)}-${found.length}"`;
      return request.method === 'HEAD'
        ? answer(200, '', { etag, 'content-length': String(found.length) })
        : answer(200, found, { etag });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return standIn;
}
