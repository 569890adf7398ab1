import { authorOf, publishBuild, refusalOf, StoreError, UPLOAD_LIMITS, unpackBuild } from '@platform/releases';
import type { App } from '@shop/server/platform/http/request';
import type { Static } from 'typebox';
import { ApiError } from './api-error';
import { answers, PublishQuerySchema, tags } from './ops-api.schemas';
import type { ReleaseApi } from './release-api';

const ARCHIVE = 'application/x-tar';

/** Publishes a release from a tar archive. Nothing is stored before the whole archive has arrived and matches its manifest. */
export function publishRoutes(app: App, api: ReleaseApi): void {
  const bodyLimit = UPLOAD_LIMITS.archiveBytes;
  app.addContentTypeParser(ARCHIVE, { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body));
  app.post<{ Querystring: Static<typeof PublishQuerySchema>; Body: Buffer }>(
    '/publish',
    {
      bodyLimit,
      schema: { tags, querystring: PublishQuerySchema, response: answers },
      // This runs before the archive is read.
      preParsing: async (request) => {
        if (request.headers['content-type'] !== ARCHIVE) throw new ApiError('invalid', 415, `a release is ${ARCHIVE}`);
        const refusal = refusalOf(api.callerOf(request), { action: 'publish', name: String(request.query.name) }, null);
        if (refusal) throw new ApiError('forbidden', 403, refusal);
      },
    },
    async (request) => {
      const { name, dryRun } = request.query;
      const build = unpackBuild(request.body);
      const { name: built, version } = build.manifest;
      if (built !== name) throw new StoreError(`the upload is a release of ${built}, not of ${name}`);
      const identity = api.requireAllowed(request, { action: 'publish', name }, null, { version });
      const channels = identity.role === 'squad' ? identity.channels : undefined;
      const author = { by: authorOf(identity), dryRun, channels, provenance: identity.source };
      return { result: await publishBuild(api.options.store, build, author) };
    },
  );
}
