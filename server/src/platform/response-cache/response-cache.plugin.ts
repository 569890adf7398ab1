import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { ResponseCache } from './response-cache';

/** Answers a guest's repeated request from memory before anything else looks at it. */
export const responseCacheLookup = fastifyPlugin(
  async (app: FastifyInstance, { responseCache }: { responseCache: ResponseCache }) => {
    app.addHook('onRequest', (request, reply, done) => {
      if (!responseCache.sendAgain(request, reply)) done();
    });
  },
);
