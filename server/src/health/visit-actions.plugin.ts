import { SUCCESS_CODE } from '@shop/shared/domain';
import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';

const STEP_OF_CALL = {
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
} as const;
export type Step = (typeof STEP_OF_CALL)[keyof typeof STEP_OF_CALL];

declare module 'fastify' {
  interface FastifyInstance {
    onStep: Array<(request: FastifyRequest, step: Step) => void>;
  }
  interface FastifyRequest {
    step: Step | undefined;
  }
}

export const STEP_OF_PAGE: Readonly<Record<string, Step>> = { product: 'price' };

/** Reports each funnel step after its response is sent, so that it can neither delay a call nor make one fail. */
export const visitActions = fastifyPlugin(async (app: FastifyInstance) => {
  app.decorate('onStep', []);
  app.decorateRequest('step', undefined);
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions, shopCode } = request;
    const stepOfCall: Readonly<Record<string, Step>> = STEP_OF_CALL;
    const step = request.step ?? stepOfCall[`${method} ${routeOptions.url}`];
    // Loading the list of all products is not a search.
    if (step === 'search' && !/[?&]keyword=[^&]/.test(request.url)) return;
    if (!step || shopCode !== SUCCESS_CODE || reply.statusCode >= 400) return;
    for (const tell of app.onStep) tell(request, step);
  });
});
