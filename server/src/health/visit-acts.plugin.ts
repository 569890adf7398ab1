/** Which acts of shoppers are which step, for the counts of what visits reach (docs/adr/0062-steps-of-visits.md). */
import { SUCCESS_CODE } from '@shop/shared/domain';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';

export const STEPS = [
  'search',
  'price',
  'buy',
  'order',
  'paid',
  'code',
  'ask-sign-in',
  'sign-in',
  'ask-recharge',
  'recharge',
  'enquiry',
] as const;
export type Step = (typeof STEPS)[number];

type OnStep = (request: FastifyRequest, step: Step) => void;

declare module 'fastify' {
  interface FastifyInstance {
    /** Who hears of steps: whoever gives out the tokens of visits. */
    onStep: OnStep[];
  }
  interface FastifyRequest {
    /** Where the route alone does not say so: the call has led to this step. */
    step: Step | undefined;
  }
}

const STEP_OF_CALL: Readonly<Record<string, Step>> = {
  'GET /api/front/goods/list': 'search',
  'GET /api/front/goods/info': 'price',
  'POST /api/front/order/create': 'order',
  'POST /api/front/payment/balance': 'paid',
  'POST /api/front/order/cards': 'code',
  'POST /api/front/app/send_code': 'ask-sign-in',
  'POST /api/front/app/login': 'sign-in',
  'POST /api/front/app/register': 'sign-in',
  'GET /api/front/recharge/options': 'ask-recharge',
  'POST /api/front/recharge/create': 'recharge',
  'POST /api/front/business/add': 'enquiry',
};
/** By the kind of its route, what a document shows before any call. */
export const STEP_OF_PAGE: Readonly<Record<string, Step>> = { product: 'price' };

/** Tells of each step once its answer is sent: it cannot slow a call down, and a fault of it fails none. */
export const visitActs = fastifyPlugin(async (app: FastifyInstance) => {
  app.decorate('onStep', []);
  app.decorateRequest('step', undefined);
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions, shopCode } = request;
    const step = request.step ?? STEP_OF_CALL[`${method} ${routeOptions.url}`];
    // The list of all products is no search.
    if (step === 'search' && !/[?&]keyword=[^&]/.test(request.url)) return;
    if (!step || shopCode !== SUCCESS_CODE || reply.statusCode >= 400) return;
    for (const tell of app.onStep) tell(request, step);
  });
});
