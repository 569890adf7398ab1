import fs from 'node:fs';
import fsPromises from 'node:fs/promises';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { reencodePicture } from '../../src/accounts/uploads/picture';
import { onEveryDatabase, type User } from '../support/test-app';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

onEveryDatabase('uploads', (testApp) => {
  const send = (file: string, token: string, payload: Buffer = png) =>
    testApp().app.inject({
      method: 'PUT',
      url: `/uploads/${file}`,
      headers: { 'x-security-token': token, 'content-type': 'image/png' },
      payload,
    });
  const grantOf = async (user: User): Promise<{ dir: string; security_token: string }> =>
    (await user.get('oss/getStsToken')).data;

  it('uploads are recognised by content, never as SVG, and stay in the user’s own folder', async () => {
    const [user, otherUser] = [await testApp().user(), await testApp().user()];
    const grant = await grantOf(user);
    expect(grant).toMatchObject({ provider: 'local', dir: `avatar/${user.id}/`, max_size: 2_097_152 });
    const put = (file: string, bytes: Buffer, token = grant.security_token) => send(file, token, bytes);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
    expect((await put(`${grant.dir}a.png`, svg)).json().code).toBe(40001);
    expect((await put(`${grant.dir}a.png`, Buffer.concat([png, Buffer.alloc(2_200_000)]))).statusCode).toBe(413);
    const { url } = (await put(`${grant.dir}a.html`, png)).json().data;
    expect(url).toMatch(/^\/uploads\/avatar\/\d+\/[0-9a-f]{32}\.webp$/);
    const served = await testApp().app.inject(url);
    expect(served.headers).toMatchObject({ 'content-type': 'image/webp', 'x-content-type-options': 'nosniff' });
    expect((await user.post('user/info', { avatar: url })).data.avatar).toBe(url);
    expect((await otherUser.post('user/info', { avatar: url })).code).toBe(40001);
    for (const path of [
      `avatar/${otherUser.id}/a.png`,
      `${grant.dir}../x.png`,
      `${grant.dir}..%2f..%2fx.png`,
      'x.png',
    ]) {
      expect((await put(path, png)).json().code).not.toBe(200);
    }
    expect((await put(`${grant.dir}a.png`, png, 'forged.token')).json().code).toBe(403);
    for (const path of [
      '/uploads/../app-secret',
      '/uploads/..%2fapp-secret',
      '/media/..%2fgoods.json',
      '/media/../goods.json',
    ]) {
      expect((await testApp().app.inject(path)).statusCode).toBeGreaterThanOrEqual(400);
    }
  });

  it('uploads leave no file on a full disk, and work when there is space again', async () => {
    const user = await testApp().user();
    const grant = await grantOf(user);
    const put = () => send(`${grant.dir}a.png`, grant.security_token);
    const filesHere = () =>
      [`uploads/${grant.dir}`, 'uploads-part'].flatMap((folder) =>
        fs.readdirSync(path.join(testApp().context.config.dataDir, folder)),
      );
    const { writeFile } = fsPromises;
    const write = jest.spyOn(fsPromises, 'writeFile').mockImplementationOnce(async (file) => {
      await writeFile(file, 'half');
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    });
    const refused = await put();
    expect([refused.statusCode, refused.json().code]).toEqual([503, 50301]);
    expect(filesHere()).toEqual([]);
    expect(await testApp().db.rows('select 1 from uploads where user_id = $1', [user.id])).toEqual([]);
    write.mockRestore();
    expect((await put()).json().code).toBe(200);
    expect(filesHere()).toHaveLength(1);
  });

  it('upload grants end with the session, after five images, and after twenty a day', async () => {
    const user = await testApp().user();
    const put = async ({ dir, security_token }: Awaited<ReturnType<typeof grantOf>>) =>
      (await send(`${dir}a.png`, security_token)).json().code as number;
    const codes: number[] = [];
    for (let grants = 0; grants < 5; grants++) {
      const grant = await grantOf(user);
      for (let index = 0; index < 6; index++) codes.push(await put(grant));
    }
    expect(codes.slice(0, 6)).toEqual([200, 200, 200, 200, 200, 42901]);
    expect(codes.filter((code) => code === 200)).toHaveLength(20);

    const another = await testApp().user();
    const grant = await grantOf(another);
    expect(await put(grant)).toBe(200);
    await another.post('app/logout', {});
    expect(await put(grant)).toBe(403);

    const disabled = await testApp().user();
    const theirs = await grantOf(disabled);
    await testApp().db.run('update users set is_usable = 0 where id = $1', [disabled.id]);
    expect(await put(theirs)).toBe(403);
  });
});

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 40 } } });

/** A decompression bomb: a PNG of one colour whose rows of zeros deflate to a thousandth. */
function bomb(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const size = Buffer.alloc(4);
    size.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([size, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const row = 1 + Math.ceil(width / 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(row * height))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('uploaded pictures', () => {
  it.each(['jpeg', 'png', 'webp', 'gif'] as const)(
    'an uploaded picture is re-encoded from %s as a small WebP',
    async (format) => {
      const reencoded = await reencodePicture(await plain(1600, 800).toFormat(format).toBuffer());
      expect(await sharp(reencoded).metadata()).toMatchObject({ format: 'webp', width: 1024, height: 512 });
    },
  );

  it('an uploaded picture loses its metadata and trailing bytes, and is rotated upright', async () => {
    const photo = await plain(40, 20)
      .withExif({ IFD0: { Artist: 'somebody' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect((await sharp(photo).metadata()).exif).toBeDefined();
    const reencoded = await reencodePicture(Buffer.concat([photo, Buffer.from('<script>alert(1)</script>PK\x03\x04')]));
    const metadata = await sharp(reencoded).metadata();
    expect(metadata).toMatchObject({ width: 20, height: 40 });
    for (const name of ['exif', 'icc', 'xmp']) expect(metadata).not.toHaveProperty(name);
    for (const left of ['script', 'somebody', 'Exif']) expect(reencoded?.includes(left)).toBe(false);
  });

  it('an uploaded animation keeps its first frame', async () => {
    const frames = await sharp([await plain(20, 20).png().toBuffer(), await plain(20, 20).negate().png().toBuffer()], {
      join: { animated: true },
    })
      .gif()
      .toBuffer();
    expect((await sharp(frames).metadata()).pages).toBe(2);
    const reencoded = await reencodePicture(frames);
    const { width, height, pages } = await sharp(reencoded).metadata();
    expect({ width, height, pages }).toEqual({ width: 20, height: 20, pages: undefined });
  });

  it('an upload is refused when it is no picture, is broken, or has too many pixels', async () => {
    const huge = bomb(30_000, 30_000);
    expect(huge.length).toBeLessThan(2_097_152);
    const whole = await plain(300, 300).jpeg().toBuffer();
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    const disguised = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), svg]);
    const tiff = await plain(10, 10).tiff().toBuffer();
    for (const bytes of [huge, whole.subarray(0, 60), svg, disguised, tiff, Buffer.from('GIF89a'), Buffer.alloc(0)])
      expect(await reencodePicture(bytes)).toBeUndefined();
  });
});
