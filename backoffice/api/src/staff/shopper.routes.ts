import { Readable } from 'node:stream';
import { exportFile } from '@shop/server/accounts/privacy/export.service';
import type { DomainOptions } from '@shop/server/context';
import type { App } from '@shop/server/platform/http/request';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { callsFor } from './calls';
import {
  ClosingSchema,
  ErasedSchema,
  EraseShopperBodySchema,
  ExportShopperBodySchema,
  GiveCouponBodySchema,
  GiveLevelBodySchema,
  ShopperChangeBodySchema,
} from './shopper.schemas';
import {
  changeShopper,
  closings,
  enterExport,
  eraseShopper,
  giveShopperCoupon,
  giveShopperLevel,
} from './shopper.service';
import { serves } from './staff-access';

/** Acts on a person's account. */
export function shopperRoutes(app: App, { context }: DomainOptions): void {
  const { db } = context;
  const { get, post } = callsFor(app, 'money');
  post('shopper/change', { body: ShopperChangeBodySchema }, ({ body }) => changeShopper(db, body));
  post('shopper/coupon', { body: GiveCouponBodySchema }, ({ body, staff }) =>
    giveShopperCoupon(context, staff, body.id, body.coupon),
  );
  post('shopper/level', { body: GiveLevelBodySchema }, ({ body, locale }) => giveShopperLevel(db, body, locale));
  get('closures', { answer: Type.Array(ClosingSchema) }, () => closings(db));
  callsFor(app, 'manager').post(
    'shopper/erase',
    { body: EraseShopperBodySchema, answer: ErasedSchema },
    async ({ body: { id, reason } }) => ({ pseudonym: await eraseShopper(context, id, reason) }),
  );
  app.post(
    '/staff/api/shopper/export',
    { ...serves('manager'), schema: { body: ExportShopperBodySchema } },
    async ({ body: { id } }, reply) => {
      await enterExport(db, id);
      reply.header('content-disposition', `attachment; filename="person-${id}.json"`);
      return (reply.type('application/json; charset=utf-8') as FastifyReply).send(
        Readable.from(exportFile(context, id)),
      );
    },
  );
}
