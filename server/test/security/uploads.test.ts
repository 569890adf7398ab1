import fs from 'node:fs';
import fsPromises from 'node:fs/promises';
import path from 'node:path';
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
