import { cropPicture, storePicture } from '@shop/server/catalogue/goods-picture';
import type { DomainOptions } from '@shop/server/context';
import { ShopError } from '@shop/server/platform/http/errors';
import { limitRate } from '@shop/server/platform/http/rate-limit';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { Type } from 'typebox';
import { callFor } from '../calls';

/** A photo of a phone's camera fits. */
const MOST_BYTES = 12 * 1024 * 1024;
const PER_HOUR = 200;
const Part = Type.Number({ minimum: 0, maximum: 1 });
const QuerySchema = Type.Object({
  kind: Type.Union([Type.Literal('goods'), Type.Literal('banners'), Type.Literal('items')]),
  /** The point that must stay visible: shares of the width and the height, from the top left. */
  x: Part,
  y: Part,
});

/**
 * Stores a catalogue picture, cropped around its focus and re-encoded as the import does. It appears nowhere until a product or
 * banner that uses it is saved.
 */
export const pictureCalls = ({ context: { db, providers } }: DomainOptions) => ({
  'POST pictures': callFor('goods')(
    { query: QuerySchema, limit: MOST_BYTES },
    async ({ query: { kind, x, y }, body: bytes, staff }) => {
      await limitRate(db, `staff-pictures:${staff.id}`, PER_HOUR, 3600);
      const picture = Buffer.isBuffer(bytes) ? await cropPicture(bytes, kind, [x, y]) : undefined;
      if (!picture) throw new ShopError(StaffErrorCode.NotAPicture);
      return { url: await storePicture(providers.pictures, picture) };
    },
  ),
});
