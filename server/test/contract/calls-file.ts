/**
 * Writes `src/generated/calls.ts` from the routes, the fields of the API's calls and the rules of the console's fields: `npm run
 * calls -w server`. calls.test.ts fails while a file is out of date.
 */
import fs from 'node:fs';
import path from 'node:path';
import type { TSchema } from 'typebox';
import { type Api, readApi, type Shape } from '../support/routes';
import { callShapes, removals } from './call-shapes';
import { formatted, rulesFile, rulesText } from './field-rules';

const root = path.join(__dirname, '../../..');
const sources = path.join(root, 'server/src');
export const callsFile = path.join(sources, 'generated/calls.ts');

interface Named {
  type: string;
  imported: string;
  file: string;
}

function namedSchemas(): Map<TSchema, Named> {
  const names = new Map<TSchema, Named>();
  const files = fs.readdirSync(sources, { recursive: true, encoding: 'utf8' });
  const schemaFiles = files.filter((file) => file.endsWith('.schemas.ts')).map((file) => file.replaceAll('\\', '/'));
  for (const schemaFile of schemaFiles.map((file) => file.slice(0, -'.ts'.length)).sort()) {
    const source = path.join(sources, `${schemaFile}.ts`);
    const text = fs.readFileSync(source, 'utf8');
    for (const [schemaName, schema] of Object.entries(require(source) as Record<string, TSchema>)) {
      if (!schemaName.endsWith('Schema') || typeof schema !== 'object' || names.has(schema)) continue;
      const name = schemaName.slice(0, -'Schema'.length);
      const named = new RegExp(`export (type|interface) ${name}\\b`).test(text)
        ? { type: name, imported: name }
        : { type: `Static<typeof ${schemaName}>`, imported: schemaName };
      names.set(schema, { ...named, file: `../${schemaFile}` });
    }
  }
  return names;
}

export function callsText({ routes }: Pick<Api, 'routes'>): string {
  const names = namedSchemas();
  const imports = new Map<string, Set<string>>();
  const use = (file: string, name: string) => imports.set(file, (imports.get(file) ?? new Set()).add(name));
  const typeOf = (schema: TSchema, where: string): string => {
    const named = names.get(schema);
    if (named) {
      if (named.type !== named.imported) use('typebox', 'Static');
      use(named.file, named.imported);
      return named.type;
    }
    const { type, items, anyOf, properties, patternProperties, required, ...shape } = schema as Shape;
    if (anyOf) return anyOf.map((alternative) => typeOf(alternative, where)).join(' | ');
    if (shape.const !== undefined) return JSON.stringify(shape.const);
    if (shape.enum) return shape.enum.map((value) => JSON.stringify(value)).join(' | ');
    if (type === 'array' && items) return `${typeOf(items, where)}[]`;
    if (type === 'integer') return 'number';
    if (type === 'string' || type === 'boolean' || type === 'null' || type === 'number') return type;
    const [of] = Object.values(patternProperties ?? {});
    if (of) return `Record<string, ${typeOf(of, where)}>`;
    if (Object.keys(schema).length === 0) return 'unknown';
    if (!properties) throw new Error(`${where} has a schema that no *.schemas.ts exports: give it a name`);
    const fields = Object.entries(properties).map(
      ([name, property]) => `${name}${required?.includes(name) ? '' : '?'}: ${typeOf(property, where)}`,
    );
    return `{ ${fields.join('; ')} }`;
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
  const calls = `/** Every call of the API by method and path, with its request and the envelope's data. The HTTP client is typed by it. */
export interface Calls {\n${lines.join('\n')}\n}\n`;
  const used = [...imports]
    .sort()
    .map(([file, types]) => `import type { ${[...types].sort().join(', ')} } from '${file}';`);
  const text = `// Written by \`npm run calls -w server\` from the routes and their schemas; calls.test.ts keeps it so.\n${used.join('\n')}\n\n${calls}`;
  return formatted(callsFile, text);
}

/**
 * The calls of the API with their fields, as they were released: the gate reads the calls from it, and the next API must still
 * offer the fields.
 */
export const shapesFile = path.join(root, 'server/src/generated/calls.json');
export const shapesText = ({ routes }: Api): string => formatted(shapesFile, JSON.stringify(callShapes(routes)));

export const removedCalls = ({ routes }: Api): string[] =>
  removals(JSON.parse(fs.readFileSync(shapesFile, 'utf8')), callShapes(routes), new Date().toISOString().slice(0, 10));

if (require.main === module) {
  readApi().then((api) => {
    const removed = removedCalls(api);
    if (removed.length > 0) {
      console.error(`Give these a date first (docs/guides/server.md):\n${removed.join('\n')}`);
      process.exitCode = 1;
      return;
    }
    fs.writeFileSync(callsFile, callsText(api));
    fs.writeFileSync(shapesFile, shapesText(api));
    fs.writeFileSync(rulesFile, rulesText());
  });
}
