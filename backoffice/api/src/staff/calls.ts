import { ok } from '@shop/server/platform/http/envelope';
import type { App } from '@shop/server/platform/http/request';
import { answer, type Locale } from '@shop/server/platform/http/schemas';
import type { Static, TSchema } from 'typebox';
import type { StaffRole } from './roles';
import { StaffDoneSchema } from './staff.schemas';
import { staffOf } from './staff-access';
import type { StaffViewer } from './staff-sessions.service';

interface Schemas<Body, Query, Params, Answer> {
  body?: Body;
  query?: Query;
  params?: Params;
  /** Without it the call answers that it is done. */
  answer?: Answer;
  /** Bytes of the body. */
  limit?: number;
  /** A code of the authenticator app from the last five minutes is needed. */
  freshCode?: true;
}
type ValueOf<Schema> = Schema extends TSchema ? Static<Schema> : unknown;
type Work<Body, Query, Params, Answer> = (call: {
  body: ValueOf<Body>;
  query: ValueOf<Query>;
  params: ValueOf<Params>;
  /** Who asks. */
  staff: StaffViewer;
  locale: Locale;
}) => Promise<ValueOf<Answer>>;

/** Registers calls below /staff/api that serve these roles and managers. */
export function callsFor(app: App, ...roles: StaffRole[]) {
  const register =
    (method: 'GET' | 'POST') =>
    <Body = undefined, Query = undefined, Params = undefined, Answer = undefined>(
      path: string,
      { limit, freshCode, ...schemas }: Schemas<Body, Query, Params, Answer>,
      work: Work<Body, Query, Params, Answer>,
    ): void => {
      const { body, query, params, answer: data } = schemas as Schemas<TSchema, TSchema, TSchema, TSchema>;
      app.route({
        method,
        url: `/staff/api/${path}`,
        config: { staff: roles, freshCode },
        bodyLimit: limit,
        schema: {
          ...(body && { body }),
          ...(query && { querystring: query }),
          ...(params && { params }),
          response: answer(data ?? StaffDoneSchema),
        },
        handler: async (request) => {
          const call = { body: request.body, query: request.query, params: request.params } as Parameters<
            typeof work
          >[0];
          const result = await work({ ...call, staff: staffOf(request), locale: request.locale });
          return ok(request, data ? result : { done: true });
        },
      });
    };
  return { get: register('GET'), post: register('POST') };
}
