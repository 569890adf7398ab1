import { randomUUID } from 'node:crypto';
import { parse } from 'node:querystring';
import fastJsonStringify from 'fast-json-stringify';
import type { FastifyError } from 'fastify';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { callsOf } from './http/calls';
import { errorEnvelope, ok } from './http/envelope';
import { failureOf } from './http/error-handler.plugin';
import type { App, RequestLocale, Viewer } from './http/request';
import { EnvelopeOf, type Sent } from './http/schemas';
import { coercing } from './http/server';

export interface UserView extends RequestLocale {
  viewer: Viewer;
}

/**
 * The GET calls whose responses documents may show to the user they are about. Each is a route for browsers, and a function for
 * documents. Data that a document must never contain, such as codes, is not among them.
 */
export class UserReads {
  private readonly byPath = new Map<string, (search: string, view: UserView) => Promise<unknown>>();

  serve<Data extends TSchema, Query extends TObject = TObject<Record<never, TSchema>>>(
    app: App,
    url: string,
    schema: { query?: Query; data: Data },
    read: (query: Static<Query>, view: UserView) => Promise<Sent<Static<Data>>>,
  ): void {
    callsOf(app).user.get(url, schema, ({ query, viewer, locale, currency }) =>
      read(query as Static<Query>, { locale, currency, viewer }),
    );
    this.offer(url, schema, read);
  }

  offer<Data extends TSchema, Query extends TObject = TObject<Record<never, TSchema>>>(
    url: string,
    schema: { query?: Query; data: Data },
    read: (query: Static<Query>, view: UserView) => Promise<Sent<Static<Data>>>,
  ): void {
    const validate = coercing.compile(schema.query ?? Type.Object({}));
    const serialise = fastJsonStringify(EnvelopeOf(schema.data) as object);
    this.byPath.set(url, async (search, view) => {
      const query = parse(search);
      if (!validate(query)) throw new Error(`the query of ${url} does not match its schema`);
      const request = { ...view, id: randomUUID() };
      try {
        // The JSON that a browser gets: the schema removes fields that it does not name.
        return JSON.parse(serialise(ok(request, await read(query as Static<Query>, view))));
      } catch (error) {
        // A refusal, such as "not found", is a response that the page shows.
        const { status, code, data } = failureOf(error as FastifyError, view.locale);
        if (status !== 200) throw error;
        return errorEnvelope(request, code, data);
      }
    });
  }

  /** The envelope of the response, including refusals; undefined for every other call. Throws if the status is not 200. */
  async answer(address: string, view: UserView): Promise<unknown> {
    const [path = '', search = ''] = address.split('?', 2);
    return this.byPath.get(path)?.(search, view);
  }
}
