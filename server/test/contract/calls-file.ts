/** Writes `src/calls.ts` from the routes: `npm run calls -w server`. calls.test.ts fails while the file is not that. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { TSchema } from 'typebox';
import { type ApiRoute, readApi } from '../support/routes';

const source = path.join(__dirname, '../../src');
export const callsFile = path.join(source, 'calls.ts');

interface Named {
  name: string;
  file: string;
}

/** Each schema that a domain exports, with the name of its type (`XSchema` is type `X`). */
function namedSchemas(): Map<TSchema, Named> {
  const names = new Map<TSchema, Named>();
  const schemas = fs.readdirSync(source, { recursive: true, encoding: 'utf8' }).map((one) => one.replaceAll('\\', '/'));
  for (const found of schemas.filter((one) => /(?:^|\/)([^/]+)\/\1\.schemas\.ts$/.test(one)).sort()) {
    const file = `./${found.slice(0, -'.ts'.length)}`;
    for (const [name, schema] of Object.entries(require(path.join(source, file)) as Record<string, TSchema>)) {
      if (name.endsWith('Schema')) names.set(schema, { name: name.slice(0, -'Schema'.length), file });
    }
  }
  return names;
}

/** The text of calls.ts: one line a call, with the types of what it takes and answers. */
export function callsText(routes: ApiRoute[]): string {
  const names = namedSchemas();
  const imports = new Map<string, Set<string>>();
  const typeOf = (schema: TSchema, where: string): string => {
    const named = names.get(schema);
    if (named) {
      imports.set(named.file, (imports.get(named.file) ?? new Set()).add(named.name));
      return named.name;
    }
    const { items, type } = schema as { items?: TSchema; type?: string };
    if (type === 'array' && items) return `${typeOf(items, where)}[]`;
    throw new Error(`${where} has a schema that no *.schemas.ts exports: give it a name`);
  };
  const lines = routes
    .filter((route) => route.data)
    .map(({ method, url, body, query, params, data, idempotent }) => {
      const where = `${method} ${url}`;
      const parts = [
        ...(params ? [`params: ${typeOf(params, where)}`] : []),
        ...(query ? [`query: ${typeOf(query, where)}`] : []),
        ...(body ? [`body: ${typeOf(body, where)}`] : []),
        ...(idempotent ? ['idempotent: true'] : []),
        `answer: ${typeOf(data as TSchema, where)}`,
      ];
      return `  '${where}': { ${parts.join('; ')} };`;
    })
    .sort();
  const used = [...imports]
    .sort()
    .map(([file, types]) => `import type { ${[...types].sort().join(', ')} } from '${file}';`);
  return `// Written by \`npm run calls -w server\` from the routes and their schemas; calls.test.ts keeps it so.\n${used.join('\n')}

/** Every call of the API by method and path, with its request and the envelope's data. The HTTP client is typed by it. */
export interface Calls {\n${lines.join('\n')}\n}\n`;
}

/** As the formatter leaves it. */
export function formatted(text: string): string {
  const biome = path.join(source, '../../node_modules/.bin/biome');
  return execFileSync(biome, ['check', '--write', `--stdin-file-path=${callsFile}`], { input: text, encoding: 'utf8' });
}

if (require.main === module) {
  readApi().then(({ routes }) => fs.writeFileSync(callsFile, formatted(callsText(routes))));
}
