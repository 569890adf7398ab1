import { StaffGoodsSchema } from '@shop/server/catalogue/goods.store';
import { cropPicture, storePicture } from '@shop/server/catalogue/goods-picture';
import type { DomainOptions } from '@shop/server/context';
import { StaffCouponSchema } from '@shop/server/coupons/coupons.store';
import { oneOf } from '@shop/server/platform/http/edit-schemas';
import { ShopError } from '@shop/server/platform/http/errors';
import { limitRate } from '@shop/server/platform/http/rate-limit';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { Type } from 'typebox';
import { ByIdSchema, callFor } from '../calls';
import { editCalls } from '../edits/edits.routes';
import { FileFormatSchema, tableAnswer } from '../table-file';
import { couponEditable, listCoupons } from './coupons.service';
import { GoodsQuerySchema, goodsEditable, listCategories, listGoods } from './goods.service';
import { levelEditable, listLevels, StaffLevelSchema } from './levels.service';
import { applyPrices, listPriceEdits, previewPrices, priceFile, undoPrices } from './price-list.service';
import { askSupplier, listSuppliedValues, listSuppliers, SuppliedValuesQuerySchema } from './suppliers.service';

const call = callFor('goods');
const callForSuppliers = callFor('suppliers');
/** 5,000 rows of long names fit. */
const limit = 2 * 1024 * 1024;

const SupplierSchema = Type.Object({ name: Type.String({ pattern: '^[a-z][a-z0-9]{0,30}$' }) });
const PriceFileSchema = Type.Object({ q: Type.String({ maxLength: 60 }), format: FileFormatSchema });
const RevisionSchema = Type.Object({ revision: Type.String({ maxLength: 60 }) });

/** A photo of a phone's camera fits. */
const MOST_PICTURE_BYTES = 12 * 1024 * 1024;
const PICTURES_PER_HOUR = 200;
const ShareSchema = Type.Number({ minimum: 0, maximum: 1 });
const PictureQuerySchema = Type.Object({
  kind: oneOf(['goods', 'banners', 'items'] as const),
  /** The point that must stay visible: shares of the width and the height, from the top left. */
  x: ShareSchema,
  y: ShareSchema,
});

export const catalogueCalls = (options: DomainOptions) => {
  const { context, reads } = options;
  return {
    'GET goods': call({ query: GoodsQuerySchema }, ({ query }) => listGoods(reads, query)),
    'GET categories': call({}, () => listCategories(reads)),
    ...editCalls(options, { path: 'goods', area: 'goods', schema: StaffGoodsSchema, editable: goodsEditable }),
    'POST prices/file': call({ body: PriceFileSchema }, async ({ body: { q, format }, locale, reply }) =>
      tableAnswer(reply, 'prices', format, await priceFile(reads, q, format, locale)),
    ),
    'GET prices/edits': call({}, () => listPriceEdits(reads)),
    'POST prices/undo': call({ body: ByIdSchema }, ({ body }) => undoPrices(context, body.id)),
    'GET coupons': callFor('coupons')({}, () => listCoupons(reads)),
    ...editCalls(options, { path: 'coupons', area: 'coupons', schema: StaffCouponSchema, editable: couponEditable }),
    'GET levels': callFor('givenLevels')({}, () => listLevels(reads)),
    ...editCalls(options, { path: 'levels', area: 'levels', schema: StaffLevelSchema, editable: levelEditable }),
    'GET suppliers': callForSuppliers({}, () => listSuppliers(reads)),
    'GET suppliers/values': callForSuppliers({ query: SuppliedValuesQuerySchema }, ({ query }) =>
      listSuppliedValues(reads, context, query),
    ),
    'POST suppliers/ask': callForSuppliers({ body: SupplierSchema }, ({ body }) => askSupplier(context, body.name)),
  };
};

/** Calls whose body is a file: a price list as CSV or XLSX, or a picture. */
export const fileCalls = ({ context, reads }: DomainOptions) => ({
  'POST prices/preview': call({ limit }, ({ body, locale }) => previewPrices(reads, bytesOf(body), locale)),
  'POST prices/apply': call({ query: RevisionSchema, limit }, ({ query, body }) =>
    applyPrices(context, bytesOf(body), query.revision),
  ),
  /**
   * Stores a catalogue picture, cropped around its focus and re-encoded as the import does. It appears nowhere until a product or
   * banner that uses it is saved.
   */
  'POST pictures': call(
    { query: PictureQuerySchema, limit: MOST_PICTURE_BYTES },
    async ({ query: { kind, x, y }, body, staff }) => {
      await limitRate(context.db, `staff-pictures:${staff.id}`, PICTURES_PER_HOUR, 3600);
      const picture = await cropPicture(bytesOf(body), kind, [x, y]);
      if (!picture) throw new ShopError(StaffErrorCode.NotAPicture);
      return { url: await storePicture(context.providers.pictures, picture) };
    },
  ),
});

const bytesOf = (body: unknown): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));
