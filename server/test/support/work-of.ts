import { createRequire } from 'node:module';
import type * as Argon2 from '@node-rs/argon2';
import { Sql } from '../../src/platform/db/sql';

// The object whose functions the program calls; an import would be a copy of it.
const argon2 = createRequire(__filename)('@node-rs/argon2') as typeof Argon2;

export async function workOf(call: () => Promise<unknown>): Promise<{ statements: string[]; hashes: number }> {
  const query = jest.spyOn(Sql.prototype as unknown as { query(text: string): unknown }, 'query');
  const hashed = [jest.spyOn(argon2, 'hash'), jest.spyOn(argon2, 'verify')];
  try {
    await call();
    return {
      statements: query.mock.calls.map(([text]) => text),
      hashes: hashed.reduce((sum, spy) => sum + spy.mock.calls.length, 0),
    };
  } finally {
    for (const spy of [query, ...hashed]) spy.mockRestore();
  }
}
