import { RELEASE_NAME, ROLES } from '@platform/releases';
import { exact } from '@shop/server/platform/http/edit-schemas';
import { Type } from 'typebox';
import { ERROR_KINDS } from './api-error';

const NameSchema = Type.String({ pattern: RELEASE_NAME });
const VersionSchema = Type.String({ pattern: '^[0-9A-Za-z.+-]{1,100}$' });
const ChannelSchema = Type.String({ pattern: '^[a-z][a-z0-9-]{0,30}$' });
const ShareSchema = Type.Number({ exclusiveMinimum: 0, maximum: 100 });
const SkipSchema = Type.Array(Type.String({ maxLength: 40 }), { maxItems: 20 });

const common = {
  channel: Type.Optional(ChannelSchema),
  why: Type.Optional(Type.String({ maxLength: 300 })),
  dryRun: Type.Optional(Type.Boolean()),
};
const release = { ...common, name: NameSchema, version: Type.Optional(VersionSchema) };

export const actionSchemas = {
  promote: exact({
    ...release,
    traffic: Type.Optional(ShareSchema),
    canary: Type.Optional(Type.Union([Type.Literal('auto'), Type.Array(ShareSchema, { minItems: 1, maxItems: 20 })])),
    skip: Type.Optional(SkipSchema),
    replace: Type.Optional(Type.Boolean()),
  }),
  'promote-together': exact({
    ...common,
    releases: Type.Array(exact({ name: NameSchema, version: Type.Optional(VersionSchema) }), {
      minItems: 1,
      maxItems: 50,
    }),
    replace: Type.Optional(Type.Boolean()),
  }),
  gate: exact({ ...release, skip: Type.Optional(SkipSchema) }),
  rollback: exact({
    ...common,
    name: NameSchema,
    to: Type.Optional(VersionSchema),
    from: Type.Optional(VersionSchema),
    anyway: Type.Optional(Type.Boolean()),
  }),
  restore: exact({ ...common, rev: Type.Integer({ minimum: 1 }), anyway: Type.Optional(Type.Boolean()) }),
  freeze: exact(release),
  unfreeze: exact(release),
  'render-off': exact({ ...common, name: NameSchema }),
  'render-on': exact({ ...common, name: NameSchema }),
};

export const StatusQuerySchema = exact({ channel: Type.Optional(ChannelSchema) });
export const ReleasesQuerySchema = exact({ channel: Type.Optional(ChannelSchema), name: Type.Optional(NameSchema) });
export const HistoryQuerySchema = exact({
  ...ReleasesQuerySchema.properties,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
});
export const VerifyQuerySchema = exact({ channel: Type.Optional(ChannelSchema), all: Type.Optional(Type.Boolean()) });
export const HealthQuerySchema = exact({ name: Type.Optional(NameSchema) });
export const SessionBodySchema = exact({ token: Type.String({ minLength: 1, maxLength: 16_000 }) });
export const PublishQuerySchema = exact({ name: NameSchema, dryRun: Type.Optional(Type.Boolean()) });
export const KeyBodySchema = exact({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  role: Type.Union(ROLES.map((role) => Type.Literal(role))),
  remotes: Type.Optional(Type.Array(NameSchema, { maxItems: 50 })),
  /** A squad needs at least one. */
  channels: Type.Optional(Type.Array(ChannelSchema, { maxItems: 20 })),
  maxTraffic: Type.Optional(ShareSchema),
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 366 })),
});
export const KeyIdSchema = exact({ id: Type.String({ pattern: '^[0-9a-f]{16}$' }) });

const ErrorSchema = Type.Object({
  error: Type.Object({
    kind: Type.Union(ERROR_KINDS.map((kind) => Type.Literal(kind))),
    message: Type.String(),
    verdict: Type.Optional(Type.Unknown()),
    canInsist: Type.Optional(Type.Boolean()),
  }),
});
const ResultSchema = Type.Object({ result: Type.Unknown() }, { description: 'What the command prints with --json.' });

export const answers = { 200: ResultSchema, default: ErrorSchema };
export const tags = ['releases'];
