import { Readable } from 'node:stream';
import { ok } from '@shop/server/platform/http/envelope';
import type { App } from '@shop/server/platform/http/request';
import { answer, IdSchema, type Locale, type Sent } from '@shop/server/platform/http/schemas';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import type { StaffAccess } from './people/roles';
import type { StaffViewer } from './people/staff-sessions.service';

export type { Sent };

/** Parameters or a body that only identify something. */
export const ByIdSchema = Type.Object({ id: IdSchema });

interface Options<Body, Query, Params, Answer> {
  body?: Body;
  query?: Query;
  params?: Params;
  /**
   * The answer omits all fields that this schema lacks. Answers with personal data or codes have a schema; the others have the
   * type of the result.
   */
  answer?: Answer;
  limit?: number;
  /** The call needs a code of the authenticator app from the last five minutes. */
  freshCode?: true;
}
type ValueOf<Schema> = Schema extends TSchema ? Static<Schema> : unknown;

interface CallInput<Body, Query, Params> {
  body: ValueOf<Body>;
  query: ValueOf<Query>;
  params: ValueOf<Params>;
  /** The caller; calls for guests do not read it. */
  staff: StaffViewer;
  locale: Locale;
  request: FastifyRequest;
  reply: FastifyReply;
}

type Json<T> = T extends Date ? string : T extends object ? { [Name in keyof T]: Json<T[Name]> } : T;
type AnswerOf<Schema, Result> = Schema extends TSchema ? Static<Schema> : Json<Result>;

export interface StaffCall<Body = unknown, Query = unknown, Params = unknown, Answer = unknown> {
  access: StaffAccess;
  options: Options<TSchema, TSchema, TSchema, TSchema>;
  work(input: CallInput<TSchema, TSchema, TSchema>): Promise<unknown>;
  /** Carries the types of the call to the console; it has no value. */
  types?: { body: Body; query: Query; params: Params; answer: Answer };
}

type Input<Name extends string, Schema> = Schema extends TSchema ? Record<Name, Static<Schema>> : unknown;
export type TypesOf<Table> = {
  [Name in keyof Table]: Table[Name] extends StaffCall<infer Body, infer Query, infer Params, infer Answer>
    ? Input<'body', Body> & Input<'query', Query> & Input<'params', Params> & { answer: Answer }
    : never;
};

export const callFor =
  (access: StaffAccess) =>
  <Result extends Sent<ValueOf<Answer>>, Body = undefined, Query = undefined, Params = undefined, Answer = undefined>(
    options: Options<Body, Query, Params, Answer>,
    work: (input: CallInput<Body, Query, Params>) => Promise<Result>,
  ) =>
    ({ access, options, work }) as unknown as StaffCall<Body, Query, Params, AnswerOf<Answer, Result>>;

/** Registers calls below /staff/api. A key is a method and a path: `GET queue`. A result that is a stream is sent as a file. */
export function registerCalls(app: App, calls: Record<string, StaffCall>): void {
  for (const [name, { access, options, work }] of Object.entries(calls)) {
    const [method = '', path = ''] = name.split(' ');
    const { body, query, params, answer: data, limit, freshCode } = options;
    app.route({
      method,
      url: `/staff/api/${path}`,
      config: { staff: access, freshCode },
      bodyLimit: limit,
      schema: {
        ...(body && { body }),
        ...(query && { querystring: query }),
        ...(params && { params }),
        ...(data && { response: answer(data) }),
      },
      handler: async (request, reply) => {
        const { body, query, params, locale } = request;
        const staff = request.staff as StaffViewer;
        const result = await work({ body, query, params, locale, staff, request, reply });
        if (result instanceof Readable) return result;
        return ok(request, result === undefined ? { done: true } : result);
      },
    });
  }
}
