/** Stands in for a forge that vouches for its CI jobs by OpenID Connect. */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Forge {
  issuer: string;
  /** A token of a job on the main branch. */
  tokenFor(repository: string, audience: string): string;
  close(): void;
}

export async function openForge(): Promise<Forge> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' };
  const server = http.createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(request.url === '/keys' ? { keys: [jwk] } : { issuer, jwks_uri: `${issuer}/keys` }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  return {
    issuer,
    tokenFor(repository, audience) {
      const seconds = Math.floor(Date.now() / 1000);
      const claims = { repository, ref: 'refs/heads/main', sub: `repo:${repository}`, sha: '5f3c2a1', run_id: 77 };
      const times = { iat: seconds, exp: seconds + 300, jti: randomUUID() };
      const text = `${encode({ alg: 'RS256', kid: 'one' })}.${encode({ iss: issuer, aud: audience, ...claims, ...times })}`;
      return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
