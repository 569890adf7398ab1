import type { FastifyRequest } from 'fastify';
import type { RequestLocale, Viewer } from './request';

export interface View extends RequestLocale {
  viewer: Viewer | undefined;
}

/** A copy, because functions in the response cache would keep the whole request in memory. */
export const viewOf = ({ locale, currency, viewer }: FastifyRequest): View => ({ locale, currency, viewer });
