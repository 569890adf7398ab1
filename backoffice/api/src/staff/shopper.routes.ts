import { Readable } from 'node:stream';
import { exportFile, exportTypes } from '@shop/server/accounts/privacy/export.service';
import type { DomainOptions } from '@shop/server/context';
import { ok } from '@shop/server/platform/http/envelope';
import type { App } from '@shop/server/platform/http/request';
import { answer } from '@shop/server/platform/http/schemas';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import {
  ClosingSchema,
  ErasedSchema,
  EraseShopperBodySchema,
  ExportShopperBodySchema,
  GiveCouponBodySchema,
  ShopperChangeBodySchema,
} from './shopper.schemas';
import { changeShopper, closings, enterExport, eraseShopper, giveShopperCoupon } from './shopper.service';
import { StaffDoneSchema } from './staff.schemas';
import { serves } from './staff-access';

const money = serves('money');
const done = { done: true };

/** Acts on a person's account. */
export function shopperRoutes(app: App, { context }: Pick<DomainOptions, 'context'>): void {
  const { db } = context;
  app.post(
    '/staff/api/shopper/change',
    { ...money, schema: { body: ShopperChangeBodySchema, response: answer(StaffDoneSchema) } },
    async (request) => {
      await changeShopper(db, request.body);
      return ok(request, done);
    },
  );
  app.post(
    '/staff/api/shopper/coupon',
    { ...money, schema: { body: GiveCouponBodySchema, response: answer(StaffDoneSchema) } },
    async (request) => {
      await giveShopperCoupon(db, request.body.id, request.body.coupon);
      return ok(request, done);
    },
  );
  app.post(
    '/staff/api/shopper/export',
    { ...serves('manager'), schema: { body: ExportShopperBodySchema } },
    async ({ body: { id, format } }, reply) => {
      await enterExport(db, id, format);
      reply.header('content-disposition', `attachment; filename="person-${id}.${format}"`);
      return (reply.type(exportTypes[format]) as FastifyReply).send(Readable.from(exportFile(context, id, format)));
    },
  );
  app.post(
    '/staff/api/shopper/erase',
    { ...serves('manager'), schema: { body: EraseShopperBodySchema, response: answer(ErasedSchema) } },
    async (request) => {
      const { id, reason } = request.body;
      return ok(request, { pseudonym: await eraseShopper(context, id, reason) });
    },
  );
  app.get(
    '/staff/api/closures',
    { ...money, schema: { response: answer(Type.Array(ClosingSchema)) } },
    async (request) => ok(request, await closings(db)),
  );
}
