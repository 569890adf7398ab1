/** Draws every picture of the seed into server/seed/media: `npm run seed:pictures -w server`. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { avifBeside } from '../../src/catalogue/goods-picture';
import { avatar, banners, categoryIcon, categoryKeys, mark, pictureError, supportQr, themes } from './brand';
import { coverKeys, drawCover } from './cover';

const seed = join(__dirname, '..');
const media = join(seed, 'media');

interface Drawing {
  name: string;
  svg: string;
  width: number;
  height: number;
  kind: 'webp' | 'png';
  /** The picture may not be larger; its quality gives way. */
  maxBytes: number;
}

async function encode({ svg, width, height, kind, maxBytes }: Drawing): Promise<{ main: Buffer; avif?: Buffer }> {
  // Drawn at twice the size and reduced, which gives smoother edges than the renderer's own.
  const density = 144;
  const image = sharp(Buffer.from(svg), { density }).resize(width, height, { fit: 'fill', kernel: 'lanczos3' });
  if (kind === 'png') return { main: await image.png({ compressionLevel: 9, palette: true, quality: 95 }).toBuffer() };
  let best: Buffer | undefined;
  for (const quality of [82, 74, 66, 58, 50, 42, 34]) {
    // Sharp colours at the edges of letters cost a twentieth more.
    best = await image
      .clone()
      .webp({ quality, effort: 6, smartSubsample: quality > 50 })
      .toBuffer();
    if (best.length <= maxBytes) break;
  }
  if (!best) throw new Error('nothing was encoded');
  // Full colour resolution keeps the edges of letters sharp; the picture is still smaller than the WebP.
  const avif = await image.avif({ quality: 45, effort: 6, chromaSubsampling: '4:4:4' }).toBuffer();
  return { main: best, ...(avif.length < best.length && { avif }) };
}

async function drawings(): Promise<Drawing[]> {
  const list: Drawing[] = [];
  const webp = (name: string, svg: string, width: number, height: number, maxBytes: number) =>
    list.push({ name, svg, width, height, kind: 'webp', maxBytes });
  const png = (name: string, svg: string, size: number) =>
    list.push({ name, svg, width: size, height: size, kind: 'png', maxBytes: Number.POSITIVE_INFINITY });

  for (const key of coverKeys) webp(`goods/${key}`, drawCover(key), 320, 320, 6144);
  for (const [key, draw] of Object.entries(banners)) webp(`banners/${key}`, draw().toSvg(), 1024, 448, 25600);
  for (const [key, draw] of Object.entries(themes)) webp(`themes/${key}`, draw().toSvg(), 640, 400, 12288);
  for (const key of categoryKeys) webp(`categories/${key}`, categoryIcon(key), 96, 96, 4096);
  for (let i = 0; i < 6; i++) webp(`avatars/${i + 1}`, avatar(i), 160, 160, 5120);

  const { customer_link } = JSON.parse(readFileSync(join(seed, 'config.json'), 'utf8')) as { customer_link: string };
  png('brand/support-qr', await supportQr(customer_link), 320);
  webp('brand/picture-error', pictureError(), 320, 320, 4096);
  png('brand/logo', mark(192), 192);
  png('brand/icon-192', mark(192), 192);
  png('brand/icon-512', mark(512), 512);
  png('brand/icon-maskable-512', mark(512, { inset: 0.22, radius: 0 }), 512);
  png('brand/apple-touch-icon', mark(180, { inset: 0.16, radius: 0 }), 180);
  png('brand/favicon', mark(48, { inset: 0.04 }), 48);
  return list;
}

async function main(): Promise<void> {
  mkdirSync(media, { recursive: true });
  for (const file of readdirSync(media)) if (/\.(webp|avif|png)$/.test(file)) rmSync(join(media, file));
  const manifest: Record<string, { file: string; width: number; height: number; bytes: number }> = {};
  let total = 0;
  let avifTotal = 0;
  for (const drawing of await drawings()) {
    const { main: bytes, avif } = await encode(drawing);
    const hash = createHash('sha256')
      .update(bytes)
      .update(avif ?? '')
      .digest('hex')
      .slice(0, 10);
    const file = `${drawing.name.replace('/', '-')}.${hash}.${drawing.kind}`;
    writeFileSync(join(media, file), bytes);
    if (avif) writeFileSync(join(media, avifBeside(file)), avif);
    manifest[drawing.name] = { file, width: drawing.width, height: drawing.height, bytes: bytes.length };
    if (bytes.length > drawing.maxBytes) console.warn(`${drawing.name}: ${bytes.length} bytes`);
    total += bytes.length;
    avifTotal += (avif ?? bytes).length;
  }
  writeFileSync(join(media, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  console.log(
    `${Object.keys(manifest).length} pictures, ${(total / 1024).toFixed(0)} kB, ${(avifTotal / 1024).toFixed(0)} kB as AVIF`,
  );
}

void main();
