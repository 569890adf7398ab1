import { createHash, randomUUID } from 'node:crypto';
import { parse } from 'node:querystring';
import { ErrorCode } from '@shop/shared/domain';
import fastJsonStringify from 'fast-json-stringify';
import type { FastifyBaseLogger, FastifyError, FastifySchemaValidationError } from 'fastify';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { errorEnvelope } from '../http/envelope';
import { failureOf } from '../http/error-handler.plugin';
import { type App, type RequestLocale, type View, type Viewer, viewOf } from '../http/request';
import { answer, EnvelopeOf } from '../http/schemas';
import { coercing } from '../http/server';
import type { PublicAnswer, PublicRead, ResponseCache } from './response-cache';

type AnswerVisitor = (search: string, address: string, guest: RequestLocale, viewer?: Viewer) => Promise<PublicAnswer>;

/**
 * The GET calls whose responses are the same for all guests. Each is a route for browsers, and a function for documents, which
 * are rendered with its responses and need no HTTP request.
 */
export class PublicReads {
  private readonly byPath = new Map<string, AnswerVisitor>();

  constructor(private readonly responseCache: ResponseCache) {}

  serve<Data extends TSchema, Query extends TObject = TObject<Record<never, TSchema>>>(
    app: App,
    url: string,
    schema: { query?: Query; data: Data },
    read: (query: Static<Query>, view: View) => PublicRead<Static<Data>>,
  ): void {
    const { responseCache } = this;
    const query = schema.query ?? Type.Object({});
    const validate = coercing.compile(query);
    const serialise = fastJsonStringify(EnvelopeOf(schema.data) as object);
    app.get(
      url,
      {
        schema: { ...(schema.query && { querystring: query }), response: answer(schema.data as TSchema) },
        serializerCompiler: () => serialise,
      },
      (request, reply) =>
        responseCache.send(request, reply, read(request.query as Static<Query>, viewOf(request)), serialise),
    );
    this.byPath.set(url, async (search, address, guest, viewer) => {
      const query = parse(search);
      try {
        // The validator converts the numbers of the query, and sets defaults of missing fields.
        if (!validate(query)) throw { validation: validate.errors as FastifySchemaValidationError[] };
        const request = { ...guest, url: address, id: randomUUID() };
        const publicRead = read(query as Static<Query>, { ...guest, viewer });
        return await responseCache.answer(request, publicRead, serialise, viewer);
      } catch (error) {
        return refusal(error as FastifyError, guest, app.log);
      }
    });
  }

  /**
   * The response to a guest, or to this user, including business errors; undefined for every other call. Throws if the status is not 200.
   */
  async answer(address: string, guest: RequestLocale, viewer?: Viewer): Promise<PublicAnswer | undefined> {
    const [path = '', search = ''] = address.split('?', 2);
    return this.byPath.get(path)?.(search, address, guest, viewer);
  }

  /** The response if it is cached and may be used without a check. */
  peek = (address: string, guest: RequestLocale): PublicAnswer | undefined =>
    this.responseCache.peek({ ...guest, url: address });
}

function refusal(error: FastifyError, { locale }: RequestLocale, log: FastifyBaseLogger): PublicAnswer {
  const { status, code, data } = failureOf(error, locale);
  if (code === ErrorCode.InternalError) log.error({ err: error }, 'unexpected error');
  if (status !== 200) throw error;
  const body = Buffer.from(JSON.stringify(errorEnvelope({ locale, id: '' }, code, data)));
  return { body, etag: createHash('sha256').update(body).digest('base64url') };
}
