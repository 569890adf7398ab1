import { RELEASE_NAME, ROLES } from '@platform/releases';
import { Type } from 'typebox';
import { ERROR_KINDS } from './api-error';

const NameSchema = Type.String({ pattern: RELEASE_NAME });
const VersionSchema = Type.String({ pattern: '^[0-9A-Za-z.+-]{1,100}$' });
const ChannelSchema = Type.String({ pattern: '^[a-z][a-z0-9-]{0,30}$' });
const ShareSchema = Type.Number({ exclusiveMinimum: 0, maximum: 100 });
const SkipSchema = Type.Array(Type.String({ maxLength: 40 }), { maxItems: 20 });

const strict = { additionalProperties: false };
const common = {
  channel: Type.Optional(ChannelSchema),
  why: Type.Optional(Type.String({ maxLength: 300 })),
  dryRun: Type.Optional(Type.Boolean()),
};

export const actionSchemas = {
  promote: Type.Object(
    {
      ...common,
      name: NameSchema,
      version: Type.Optional(VersionSchema),
      traffic: Type.Optional(ShareSchema),
      canary: Type.Optional(Type.Union([Type.Literal('auto'), Type.Array(ShareSchema, { minItems: 1, maxItems: 20 })])),
      skip: Type.Optional(SkipSchema),
      replace: Type.Optional(Type.Boolean()),
    },
    strict,
  ),
  'promote-together': Type.Object(
    {
      ...common,
      releases: Type.Array(Type.Object({ name: NameSchema, version: Type.Optional(VersionSchema) }, strict), {
        minItems: 1,
        maxItems: 50,
      }),
      replace: Type.Optional(Type.Boolean()),
    },
    strict,
  ),
  gate: Type.Object(
    { ...common, name: NameSchema, version: Type.Optional(VersionSchema), skip: Type.Optional(SkipSchema) },
    strict,
  ),
  rollback: Type.Object(
    {
      ...common,
      name: NameSchema,
      to: Type.Optional(VersionSchema),
      from: Type.Optional(VersionSchema),
      anyway: Type.Optional(Type.Boolean()),
    },
    strict,
  ),
  restore: Type.Object({ ...common, rev: Type.Integer({ minimum: 1 }), anyway: Type.Optional(Type.Boolean()) }, strict),
  freeze: Type.Object({ ...common, name: NameSchema, version: Type.Optional(VersionSchema) }, strict),
  unfreeze: Type.Object({ ...common, name: NameSchema, version: Type.Optional(VersionSchema) }, strict),
  'render-off': Type.Object({ ...common, name: NameSchema }, strict),
  'render-on': Type.Object({ ...common, name: NameSchema }, strict),
};

export const StatusQuerySchema = Type.Object({ channel: Type.Optional(ChannelSchema) }, strict);
export const ReleasesQuerySchema = Type.Object(
  { channel: Type.Optional(ChannelSchema), name: Type.Optional(NameSchema) },
  strict,
);
export const HistoryQuerySchema = Type.Object(
  { ...ReleasesQuerySchema.properties, limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })) },
  strict,
);
export const VerifyQuerySchema = Type.Object(
  { channel: Type.Optional(ChannelSchema), all: Type.Optional(Type.Boolean()) },
  strict,
);
export const HealthQuerySchema = Type.Object({ name: Type.Optional(NameSchema) }, strict);
export const SessionBodySchema = Type.Object({ token: Type.String({ minLength: 1, maxLength: 16_000 }) }, strict);
export const PublishQuerySchema = Type.Object({ name: NameSchema, dryRun: Type.Optional(Type.Boolean()) }, strict);
export const KeyBodySchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    role: Type.Union(ROLES.map((role) => Type.Literal(role))),
    remotes: Type.Optional(Type.Array(NameSchema, { maxItems: 50 })),
    /** A squad needs at least one. */
    channels: Type.Optional(Type.Array(ChannelSchema, { maxItems: 20 })),
    maxTraffic: Type.Optional(ShareSchema),
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: 366 })),
  },
  strict,
);
export const KeyIdSchema = Type.Object({ id: Type.String({ pattern: '^[0-9a-f]{16}$' }) }, strict);

const ErrorSchema = Type.Object({
  error: Type.Object({
    kind: Type.Union(ERROR_KINDS.map((kind) => Type.Literal(kind))),
    message: Type.String(),
    verdict: Type.Optional(Type.Unknown()),
    canSkipBrowser: Type.Optional(Type.Boolean()),
    canInsist: Type.Optional(Type.Boolean()),
  }),
});
const ResultSchema = Type.Object({ result: Type.Unknown() }, { description: 'What the command prints with --json.' });

export const answers = { 200: ResultSchema, default: ErrorSchema };
export const tags = ['releases'];
