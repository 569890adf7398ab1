import { createHash } from 'node:crypto';
import { ErrorCode } from '@shop/shared/domain';
import type { FastifyRequest } from 'fastify';
import type { DomainRoutes } from '../../context';
import { randomNumber } from '../../platform/crypto/tokens';
import { callsOf } from '../../platform/http/calls';
import { ok } from '../../platform/http/envelope';
import { fieldError, ShopError } from '../../platform/http/errors';
import { fieldText } from '../../platform/http/field-messages';
import { limitRate } from '../../platform/http/rate-limit';
import { answer } from '../../platform/http/schemas';
import { openTicket, sealTicket } from '../auth/session-lookup';
import { reencodePicture, STORED_FORMAT } from './picture';
import { StsTokenSchema, UploadAnswerSchema } from './uploads.schemas';

const MAX_BYTES = 2_097_152;
const TOKEN_SECONDS = 900;
const PICTURES_PER_GRANT = 5;
const PICTURES_PER_DAY = 20;
const DAY_SECONDS = 86_400;
const FILE_NAME = /^[\w-]{1,80}(\.\w{1,5})?$/;
const types = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'];

/** Temporary credentials for uploading, and the pictures themselves, which are re-encoded before anyone can see them. */
export const uploadsRoutes: DomainRoutes = async (app, { context, reads }) => {
  const { db, config, providers } = context;
  const { user } = callsOf(app);
  const { pictures } = providers;
  const dirOf = (user: number) => `avatar/${user}/`;

  /** Name and type derive from the bytes, not from the request: immutable, and never served as a page. */
  const store = async (request: FastifyRequest, user: number, bytes: Buffer | undefined) => {
    await limitRate(db, `pictures:${user}`, PICTURES_PER_DAY, DAY_SECONDS);
    const picture = bytes ? await reencodePicture(bytes) : undefined;
    if (!picture) throw fieldError({ file: fieldText('other', request.locale) });
    const hash = createHash('sha256').update(picture).digest('hex').slice(0, 32);
    const name = `${dirOf(user)}${hash}.${STORED_FORMAT.extension}`;
    const url = `/uploads/${name}`;
    // The row comes first: it waits for a removal of the same picture, which would also delete the new file.
    const isNew = await db.value<boolean>(
      `insert into uploads (path, user_id, mime, size) values ($1, $2, $3, $4)
       on conflict (path) do update set created_at = now(), removed_at = null returning xmax = 0`,
      [url, user, STORED_FORMAT.mime, picture.length],
    );
    try {
      await pictures.put(name, picture, STORED_FORMAT.mime);
    } catch (error) {
      if (isNew) await db.run('delete from uploads where path = $1', [url]);
      throw error;
    }
    return { url };
  };

  user.get('/api/front/oss/getStsToken', { data: StsTokenSchema }, async ({ viewer }) => {
    const { id } = viewer;
    await limitRate(db, `sts:${id}`, 30, 3600);
    const security_token = sealTicket(config.secret, 'upload', viewer, TOKEN_SECONDS);
    const relay = { host: '/uploads/', dir: dirOf(id), security_token };
    return {
      provider: 'local',
      ...relay,
      access_key_id: `local-${id}`,
      access_key_secret: randomNumber(),
      expiration: new Date(Date.now() + TOKEN_SECONDS * 1000).toISOString(),
      max_size: MAX_BYTES,
      types,
      relay,
    };
  });

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    scope.put('/uploads/*', { schema: { response: answer(UploadAnswerSchema) } }, async (request) => {
      const name = (request.params as { '*': string })['*'];
      const grant = await openTicket(context, 'upload', request.headers['x-security-token']);
      const dir = grant && dirOf(grant.user);
      if (!dir || !name.startsWith(dir) || !FILE_NAME.test(name.slice(dir.length)))
        throw new ShopError(ErrorCode.Forbidden);
      await limitRate(db, `grant:${grant.salt}`, PICTURES_PER_GRANT, TOKEN_SECONDS);
      return ok(request, await store(request, grant.user, Buffer.isBuffer(request.body) ? request.body : undefined));
    });
    scope.get('/uploads/*', async (request, reply) => {
      const name = (request.params as { '*': string })['*'];
      const row = await reads.row<{ mime: string }>('select mime from uploads where path = $1 and removed_at is null', [
        `/uploads/${name}`,
      ]);
      const bytes = row ? await pictures.get(name) : undefined;
      if (!row || !bytes) return reply.callNotFound();
      return reply
        .headers({ 'cache-control': 'public, max-age=31536000, immutable', 'content-disposition': 'inline' })
        .type(row.mime)
        .send(bytes);
    });
  });
};
