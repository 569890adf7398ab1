import swagger from '@fastify/swagger';
import { ErrorCode } from '@shop/shared/domain';
import type { FastifyInstance, FastifySchema } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { messageOf } from '../errors';
import { escapeHtml, htmlPage } from '../html';
import { ErrorSchema } from '../schemas';

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  [keyword: string]: unknown;
}
interface Call {
  parameters?: Array<{ name: string; in: string; required?: boolean; schema: Schema }>;
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}
interface Document {
  paths: Record<string, Record<string, Call>>;
}

/** The keywords shown, in this order. */
const bounds = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'maxProperties', 'pattern'];

/** A JSON Schema as a TypeScript-like type, its bounds as a comment: `quantity: integer, // minimum 1, maximum 9`. */
export function typeOf(schema: Schema, indent = ''): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf) return [...new Set(schema.anyOf.map((one) => typeOf(one, indent)))].join(' | ');
  if (schema.items) {
    const item = typeOf(schema.items, indent);
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
  }
  if (schema.properties) {
    const lines = Object.entries(schema.properties).map(([name, field]) => {
      const said = bounds.filter((bound) => field[bound] !== undefined).map((bound) => `${bound} ${field[bound]}`);
      const note = said.length > 0 ? ` // ${said.join(', ')}` : '';
      return `${indent}  ${name}${schema.required?.includes(name) ? '' : '?'}: ${typeOf(field, `${indent}  `)},${note}`;
    });
    return lines.length > 0 ? `{\n${lines.join('\n')}\n${indent}}` : '{}';
  }
  if (schema.type === 'object') {
    const values = schema.additionalProperties;
    return typeof values === 'object' ? `Record<string, ${typeOf(values, indent)}>` : 'object';
  }
  return Array.isArray(schema.type) ? schema.type.join(' | ') : (schema.type ?? 'unknown');
}

const part = (title: string, schema: Schema | undefined) =>
  schema ? `<h3>${title}</h3><pre>${escapeHtml(typeOf(schema))}</pre>` : '';
const jsonOf = (content?: Record<string, { schema: Schema }>) => Object.values(content ?? {})[0]?.schema;

function callMarkup(method: string, path: string, call: Call): string {
  const parameters: Schema = { properties: {}, required: [] };
  for (const { name, in: where, required, schema } of call.parameters ?? []) {
    const shown = where === 'query' ? name : `${name} (${where})`;
    if (parameters.properties) parameters.properties[shown] = schema;
    if (required) parameters.required?.push(shown);
  }
  const answers = Object.entries(call.responses).map(([status, { content }]) =>
    part(`Answer ${status}`, jsonOf(content)),
  );
  const head = `<summary><strong>${method.toUpperCase()}</strong> <code>${escapeHtml(path)}</code></summary>`;
  const asked = call.parameters?.length ? part('Parameters', parameters) : '';
  return `<details class="card">${head}${asked}${part('Body', jsonOf(call.requestBody?.content))}${answers.join('')}</details>`;
}

function errorCodesMarkup(): string {
  const rows = Object.entries(ErrorCode).map(([name, code]) => {
    const texts = [messageOf(code, 'zh-CN'), messageOf(code, 'en')].map((text) => `<td>${escapeHtml(text)}</td>`);
    return `<tr><td>${code}</td><td>${name}</td>${texts.join('')}</tr>`;
  });
  return `<h2>Codes</h2><table><thead><tr><th>Code</th><th>Name</th><th>zh-CN</th><th>en</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

/** The calls by their schemas, as a page and as OpenAPI. Not registered in production. */
export const apiDocs = fastifyPlugin(async (app: FastifyInstance) => {
  const info = { title: 'The shop', version: '1' };
  await app.register(swagger, { openapi: { openapi: '3.1.0', info }, transform: withErrorSchema });
  const schema = { hide: true } as object;
  const readDocument = () => app.swagger() as unknown as Document;
  app.get('/docs/openapi.json', { schema }, (_, reply) => reply.header('x-robots-tag', 'noindex').send(readDocument()));
  app.get('/docs', { schema }, (_, reply) => {
    const calls = Object.entries(readDocument().paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, call]) => callMarkup(method, path, call)),
    );
    const intro = `<h1>Calls of the shop</h1><p>${calls.length} calls, read from the schemas that check them. <a href="/docs/openapi.json">OpenAPI 3.1 document</a></p>`;
    return htmlPage(reply, {
      lang: 'en',
      title: 'Calls of the shop',
      body: intro + calls.join('') + errorCodesMarkup(),
    });
  });
});

/** An error of the business has HTTP status 200 as well; a transport error has its own status. */
function withErrorSchema({ schema, url }: { schema?: FastifySchema; url: string }) {
  const { response } = (schema ?? {}) as { response?: Record<string, object> };
  // The release API has errors of its own.
  if (!response?.[200] || url.startsWith('/ops/api/')) return { schema: schema as FastifySchema, url };
  const documented = { 200: { anyOf: [response[200], ErrorSchema] }, default: ErrorSchema };
  return { schema: { ...schema, response: documented }, url };
}
