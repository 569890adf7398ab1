import { Readable } from 'node:stream';
import { exportFile } from '@shop/server/accounts/privacy/export.service';
import type { DomainOptions } from '@shop/server/context';
import { Type } from 'typebox';
import { callFor } from '../calls';
import { fileAnswer } from '../table-file';
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
const callForErasure = callFor('erasure');

export const shopperCalls = ({ context }: DomainOptions) => ({
  'POST shopper/change': call({ body: ShopperChangeBodySchema }, ({ body }) => changeShopper(context.db, body)),
  'POST shopper/coupon': call({ body: GiveCouponBodySchema }, ({ body, staff }) =>
    giveShopperCoupon(context, staff, body.id, body.coupon),
  ),
  'POST shopper/level': call({ body: GiveLevelBodySchema }, ({ body, locale }) =>
    giveShopperLevel(context.db, body, locale),
  ),
  'GET closures': call({ answer: Type.Array(ClosingSchema) }, () => closings(context.db)),
  'POST shopper/erase': callForErasure({ body: EraseShopperBodySchema }, async ({ body: { id, reason } }) => ({
    pseudonym: await eraseShopper(context, id, reason),
  })),
  'POST shopper/export': callForErasure({ body: ExportShopperBodySchema }, async ({ body: { id }, reply }) => {
    await enterExport(context.db, id);
    const file = Readable.from(exportFile(context, id));
    return fileAnswer(reply, `person-${id}.json`, 'application/json; charset=utf-8', file);
  }),
});
