import {
  authorOf,
  beginUpload,
  nameInManifest,
  nameOfUpload,
  publishUpload,
  receiveFile,
  refusalOf,
} from '@platform/releases';
import type { App } from '@shop/server/platform/http/request';
import type { Static } from 'typebox';
import { ApiError } from './api-error';
import {
  answers,
  FILE_BYTES,
  MANIFEST_BYTES,
  PublishBodySchema,
  tags,
  UploadBodySchema,
  UploadFileSchema,
} from './ops-api.schemas';
import type { ReleaseApi } from './release-api';

/** A release, file by file, and then published as a whole. */
export function uploadRoutes(app: App, api: ReleaseApi): void {
  const { store } = api.options;
  app.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer', bodyLimit: FILE_BYTES },
    (_request, body, done) => done(null, body),
  );
  app.post(
    '/uploads',
    { bodyLimit: MANIFEST_BYTES, schema: { tags, body: UploadBodySchema, response: answers } },
    async (request) => {
      const raw = Buffer.from(request.body.manifest);
      api.requireAllowed(request, { act: 'publish', name: nameInManifest(raw) }, null, { begins: true });
      return { result: await beginUpload(store, raw) };
    },
  );
  app.put<{ Params: Static<typeof UploadFileSchema>; Body: Buffer }>(
    '/uploads/:upload/:hash',
    {
      bodyLimit: FILE_BYTES,
      schema: { tags, params: UploadFileSchema, response: answers },
      // Before 10 MB of JSON are read.
      preParsing: async ({ headers }) => {
        if (headers['content-type'] !== 'application/octet-stream')
          throw new ApiError('invalid', 415, 'a file is application/octet-stream');
      },
    },
    async (request) => {
      const { upload, hash } = request.params;
      const name = await nameOfUpload(store, upload);
      const refusal = refusalOf(api.callerOf(request), { act: 'publish', name }, null);
      if (refusal) throw new ApiError('forbidden', 403, refusal);
      await receiveFile(store, upload, hash, request.body);
      return { result: { received: request.body.length } };
    },
  );
  app.post(
    '/publish',
    { bodyLimit: MANIFEST_BYTES, schema: { tags, body: PublishBodySchema, response: answers } },
    async (request) => {
      const { upload, dryRun } = request.body;
      const name = await nameOfUpload(store, upload);
      const identity = api.requireAllowed(request, { act: 'publish', name }, null, { upload });
      const channels = identity.role === 'squad' ? identity.channels : undefined;
      const author = { by: authorOf(identity), dryRun, channels, provenance: identity.source };
      return { result: await publishUpload(store, upload, author) };
    },
  );
}
