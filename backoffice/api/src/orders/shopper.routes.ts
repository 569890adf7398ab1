import { Readable } from 'node:stream';
import { exportFile } from '@shop/server/accounts/privacy/export.service';
import type { DomainOptions } from '@shop/server/context';
import type { App } from '@shop/server/platform/http/request';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { callFor } from '../calls';
import {
  ClosingSchema,
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

const call = callFor('accounts');

export const shopperCalls = ({ context }: DomainOptions) => ({
  'POST shopper/change': call({ body: ShopperChangeBodySchema }, ({ body }) => changeShopper(context.db, body)),
  'POST shopper/coupon': call({ body: GiveCouponBodySchema }, ({ body, staff }) =>
    giveShopperCoupon(context, staff, body.id, body.coupon),
  ),
  'POST shopper/level': call({ body: GiveLevelBodySchema }, ({ body, locale }) =>
    giveShopperLevel(context.db, body, locale),
  ),
  'GET closures': call({ answer: Type.Array(ClosingSchema) }, () => closings(context.db)),
  'POST shopper/erase': callFor('erasure')({ body: EraseShopperBodySchema }, async ({ body: { id, reason } }) => ({
    pseudonym: await eraseShopper(context, id, reason),
  })),
});

export const exportRoutes = (app: App, { context }: DomainOptions): void => {
  app.post(
    '/staff/api/shopper/export',
    { config: { staff: 'erasure' }, schema: { body: ExportShopperBodySchema } },
    async ({ body: { id } }, reply) => {
      await enterExport(context.db, id);
      reply.header('content-disposition', `attachment; filename="person-${id}.json"`);
      return (reply.type('application/json; charset=utf-8') as FastifyReply).send(
        Readable.from(exportFile(context, id)),
      );
    },
  );
};
