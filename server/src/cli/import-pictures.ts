import fs from 'node:fs';
import path from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { type CataloguePicture, cropPicture, type PictureKind } from '../catalogue/goods-picture';
import { readRecords } from './read-records';
import { StaffError } from './staff/common';

const Part = Type.Number({ minimum: 0, maximum: 1 });
/** A picture beside the imported file, and what of it must be seen: parts of width and height, from the top left. */
export const OwnPictureSchema = Type.Object(
  { file: Type.String({ minLength: 1, maxLength: 300 }), focus: Type.Optional(Type.Tuple([Part, Part])) },
  { additionalProperties: false },
);
type OwnPicture = Static<typeof OwnPictureSchema>;

export const isOwnPicture = (value: unknown): value is OwnPicture => Value.Check(OwnPictureSchema, value);
const centre: [number, number] = [0.5, 0.5];

/** The name under which a command carries that picture in one of its formats. */
const carriedName = (kind: PictureKind, { file, focus = centre }: OwnPicture, format: keyof CataloguePicture): string =>
  `${kind}:${focus.join(',')}:${format}:${file}`;

/** What a command carries of that picture; undefined when it does not. */
export function carriedPicture(
  pictures: Record<string, string>,
  kind: PictureKind,
  own: OwnPicture,
): CataloguePicture | undefined {
  const [webp, avif] = (['webp', 'avif'] as const).map((format) => pictures[carriedName(kind, own, format)]);
  return webp && avif ? { webp: Buffer.from(webp, 'base64'), avif: Buffer.from(avif, 'base64') } : undefined;
}

/**
 * The pictures that a catalogue names, cropped and made small where the files are, in Base64: the shop that takes the command may not
 * see these folders. Throws StaffError for one that cannot be read; faults of the catalogue itself are the import's to report.
 */
export async function picturesOf(catalogue: string, text: string): Promise<Record<string, string>> {
  const wanted = new Map<string, [PictureKind, OwnPicture]>();
  const want = (kind: PictureKind, record: unknown) => {
    const image = (record as { image?: unknown } | null)?.image;
    if (isOwnPicture(image)) wanted.set(carriedName(kind, image, 'webp'), [kind, image]);
  };
  const { goods, banners, modules } = readRecords(catalogue, text);
  for (const { value } of goods) want('goods', value);
  for (const { value } of banners) want('banners', value);
  for (const { value } of modules) {
    const { items } = (value ?? {}) as { items?: unknown };
    if (Array.isArray(items)) for (const item of items) want('items', item);
  }
  const pictures: Record<string, string> = {};
  for (const [kind, own] of wanted.values()) {
    const { file, focus = centre } = own;
    const from = path.resolve(path.dirname(catalogue), file);
    const bytes = await fs.promises.readFile(from).catch(() => {
      throw new StaffError(`The picture ${from} cannot be read.`);
    });
    const picture = await cropPicture(bytes, kind, focus);
    if (!picture) throw new StaffError(`${from} is no JPEG, PNG, WebP or GIF of up to 25 million pixels.`);
    for (const format of ['webp', 'avif'] as const)
      pictures[carriedName(kind, own, format)] = picture[format].toString('base64');
  }
  return pictures;
}
