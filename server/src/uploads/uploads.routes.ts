import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { type App, ok, type Shop, signedIn, viewerOf } from '../app/context';
import { fieldError, ShopError } from '../app/errors';
import { fieldText } from '../app/field-messages';
import { limitRate } from '../app/rate-limit';
import { answer } from '../app/schema';
import { randomNumber, seal, unseal } from '../crypto/tokens';
import { KEPT, redraw } from './picture';
import { StsTokenSchema, UploadAnswerSchema } from './uploads.schemas';

const MAX_BYTES = 2_097_152;
const TOKEN_SECONDS = 900;
const types = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'];

interface Grant {
  user: number;
  dir: string;
}

/** Object storage on the server's own disk: temporary credentials, then a PUT of the bytes. */
export function uploadsRoutes(app: App, { db, config }: Shop): void {
  const root = path.join(config.dataDir, 'uploads');

  app.get(
    '/api/front/oss/getStsToken',
    { ...signedIn, schema: { response: answer(StsTokenSchema) } },
    async (request) => {
      const { id } = viewerOf(request);
      await limitRate(db, `sts:${id}`, 30, 3600);
      const grant: Grant = { user: id, dir: `avatar/${id}/` };
      return ok(request, {
        provider: 'local',
        host: '/uploads/',
        dir: grant.dir,
        access_key_id: `local-${id}`,
        access_key_secret: randomNumber(),
        security_token: seal(config.secret, 'upload', grant, TOKEN_SECONDS),
        expiration: new Date(Date.now() + TOKEN_SECONDS * 1000).toISOString(),
        max_size: MAX_BYTES,
        types,
      });
    },
  );

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    scope.put('/uploads/*', { schema: { response: answer(UploadAnswerSchema) } }, async (request) => {
      const name = (request.params as { '*': string })['*'];
      const token = request.headers['x-security-token'];
      const grant = typeof token === 'string' ? unseal<Grant>(config.secret, 'upload', token) : undefined;
      if (!grant || !name.startsWith(grant.dir) || !/^[\w-]{1,80}(\.\w{1,5})?$/.test(name.slice(grant.dir.length))) {
        throw new ShopError(403);
      }
      const bytes = request.body as Buffer;
      const drawn = Buffer.isBuffer(bytes) ? await redraw(bytes) : undefined;
      if (!drawn) throw fieldError({ file: fieldText('other', request.locale) });
      // Named by content and by what the bytes are, whatever the request said: immutable, and never served as a page.
      const hash = createHash('sha256').update(drawn).digest('hex').slice(0, 32);
      const file = `${grant.dir}${hash}.${KEPT.extension}`;
      await fs.mkdir(path.join(root, grant.dir), { recursive: true });
      await fs.writeFile(path.join(root, file), drawn);
      const url = `/uploads/${file}`;
      await db.run('insert into uploads (path, user_id, mime, size) values ($1, $2, $3, $4) on conflict do nothing', [
        url,
        grant.user,
        KEPT.mime,
        drawn.length,
      ]);
      return ok(request, { url });
    });
    scope.get('/uploads/*', async (request, reply) => {
      const url = `/uploads/${(request.params as { '*': string })['*']}`;
      const row = await db.row<{ mime: string }>('select mime from uploads where path = $1', [url]);
      if (!row) return reply.callNotFound();
      const bytes = await fs.readFile(path.join(config.dataDir, url)).catch(() => undefined);
      if (!bytes) return reply.callNotFound();
      return reply
        .headers({ 'cache-control': 'public, max-age=31536000, immutable', 'content-disposition': 'inline' })
        .type(row.mime)
        .send(bytes);
    });
  });
}
