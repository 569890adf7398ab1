import type { FastifyContextConfig, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { ok } from './envelope';
import { type App, type RequestLocale, viewerOf } from './request';
import { answer, type Sent } from './schemas';

type Optional = TSchema | undefined;
interface Schemas<Data, Body, Query> {
  body?: Body;
  query?: Query;
  data: Data;
  /** What the route needs beside the access of its callers. */
  config?: FastifyContextConfig;
}
type ValueOf<Schema> = Schema extends TSchema ? Static<Schema> : undefined;

interface Call<Body, Query, Caller> extends RequestLocale {
  body: ValueOf<Body>;
  query: ValueOf<Query>;
  viewer: Caller;
  request: FastifyRequest;
  reply: FastifyReply;
}

export function callsOf(app: App) {
  const route =
    <Caller>(method: HTTPMethods, config: FastifyContextConfig, viewerIn: (request: FastifyRequest) => Caller) =>
    <Data extends TSchema, Body extends Optional = undefined, Query extends Optional = undefined>(
      url: string,
      { body, query, data, config: further }: Schemas<Data, Body, Query>,
      handler: (call: Call<Body, Query, Caller>) => Promise<Sent<Static<Data>>>,
    ): void => {
      app.route({
        method,
        url,
        config: { ...config, ...further },
        schema: { ...(body && { body }), ...(query && { querystring: query }), response: answer(data as TSchema) },
        handler: async (request, reply) => {
          const { locale, currency } = request;
          const input = { body: request.body, query: request.query } as Pick<
            Call<Body, Query, Caller>,
            'body' | 'query'
          >;
          const value = await handler({ ...input, viewer: viewerIn(request), locale, currency, request, reply });
          // A call with an Idempotency-Key has sent its stored response.
          return reply.sent ? reply : ok(request, value);
        },
      });
    };

  const user = { access: 'user' } as const;
  const guest = ({ viewer }: FastifyRequest) => viewer;
  return {
    guest: { get: route('GET', {}, guest), post: route('POST', {}, guest) },
    user: {
      get: route('GET', user, viewerOf),
      post: route('POST', user, viewerOf),
      delete: route('DELETE', user, viewerOf),
      /** Needs an Idempotency-Key. Its handler responds by `withIdempotency` or `withStoredResult`. */
      postOnce: route('POST', { ...user, idempotent: true }, viewerOf),
    },
  };
}
