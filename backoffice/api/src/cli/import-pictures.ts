import fs from 'node:fs';
import path from 'node:path';
import { type CataloguePicture, cropPicture } from '@shop/server/catalogue/goods-picture';
import { exact } from '@shop/server/platform/http/edit-schemas';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

const Part = Type.Number({ minimum: 0, maximum: 1 });
/** A picture beside the imported file, and the focus that must stay visible: shares of the width and height, from the top left. */
export const LocalPictureSchema = exact({
  file: Type.String({ minLength: 1, maxLength: 300 }),
  focus: Type.Optional(Type.Tuple([Part, Part])),
});
type LocalPicture = Static<typeof LocalPictureSchema>;

export const isLocalPicture = (value: unknown): value is LocalPicture => Value.Check(LocalPictureSchema, value);

export async function croppedPicture(
  catalogue: string,
  { file, focus = [0.5, 0.5] }: LocalPicture,
): Promise<CataloguePicture | string> {
  const from = path.resolve(path.dirname(catalogue), file);
  const bytes = await fs.promises.readFile(from).catch(() => undefined);
  if (!bytes) return `the picture ${from} cannot be read`;
  const picture = await cropPicture(bytes, 'goods', focus);
  return picture ?? `${from} is no JPEG, PNG, WebP or GIF of up to 25 million pixels`;
}
