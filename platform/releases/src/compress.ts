import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const TEXT = /\.(js|mjs|css|json|svg|html|txt|map|xml|webmanifest)$/;
/** Bytes; below this size compression saves no packet. */
const MIN_SIZE = 256;

/** The compressed siblings of a file, `x.br` and `x.gz`; none for images, fonts and tiny files. */
export async function compressedSiblings(file: string, content: Buffer): Promise<Array<[string, Buffer]>> {
  if (!TEXT.test(file) || content.length < MIN_SIZE) return [];
  const br = await brotli(content, {
    params: {
      [zlib.BROTLI_PARAM_QUALITY]: 11,
      [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT,
      [zlib.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
  const gz = await zip(content, { level: 9 });
  return [
    [`${file}.br`, br],
    [`${file}.gz`, gz],
  ];
}
