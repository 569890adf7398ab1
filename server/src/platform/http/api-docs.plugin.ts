import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { ErrorSchema } from './schemas';

/** Serves the calls by their schemas, as OpenAPI. Not registered in production. */
export const apiDocs = fastifyPlugin(async (app: FastifyInstance) => {
  const info = { title: 'The shop', version: '1' };
  await app.register(swagger, { openapi: { openapi: '3.1.0', info }, transform: withErrorSchema });
  app.get('/docs/openapi.json', { schema: { hide: true } as object }, (_, reply) =>
    reply.header('x-robots-tag', 'noindex').send(app.swagger()),
  );
});

/** A business error has HTTP status 200 as well; a transport error has its own status. */
function withErrorSchema({ schema, url }: { schema?: FastifySchema; url: string }) {
  const { response } = (schema ?? {}) as { response?: Record<string, object> };
  // The release API defines its own errors.
  if (!response?.[200] || url.startsWith('/ops/api/')) return { schema: schema as FastifySchema, url };
  const documented = { 200: { anyOf: [response[200], ErrorSchema] }, default: ErrorSchema };
  return { schema: { ...schema, response: documented }, url };
}
