import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';

/** One line a request. It names the route, not the URL: a query may hold secrets. */
export const accessLog = fastifyPlugin(async (app: FastifyInstance) => {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions, viewer, shopCode, id, ip } = request;
    const line = { id, method, route: routeOptions.url, status: reply.statusCode, code: shopCode, user: viewer?.id };
    request.log.info({ ...line, address: ip, ms: Math.round(reply.elapsedTime), trace: request.trace?.id });
    done();
  });
});
