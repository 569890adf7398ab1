import { checkGrant, ROLES } from '@platform/releases';
import type { Settings } from '@shop/server/platform/settings/settings';
import { isSafeAddress } from '@shop/server/platform/settings/variable-kinds';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

const TextSchema = Type.String({ minLength: 1 });
const ForgesSchema = Type.Array(
  Type.Object({
    issuer: TextSchema,
    audience: TextSchema,
    rules: Type.Array(
      Type.Object({
        repository: TextSchema,
        ref: Type.String({ pattern: '^refs/(heads|tags)/\\S+$' }),
        /** Further claims that the token must have, such as an environment or the repository's number. */
        claims: Type.Record(Type.String(), TextSchema, { default: {} }),
        role: Type.Enum(ROLES),
        remotes: Type.Array(TextSchema, { default: [] }),
        maxTraffic: Type.Optional(Type.Number()),
      }),
      { minItems: 1 },
    ),
  }),
);
export type Forge = Static<typeof ForgesSchema>[number];

/** Parses RELEASE_OIDC, a JSON list of forges. */
export function parseForges(settings: Settings): Forge[] {
  const text = settings.get('RELEASE_OIDC');
  if (!text) return [];
  try {
    const forges = Value.Default(ForgesSchema, JSON.parse(text));
    if (!Value.Check(ForgesSchema, forges)) {
      const [fault] = Value.Errors(ForgesSchema, forges);
      throw new Error(`${fault?.instancePath} ${fault?.message}`);
    }
    for (const { issuer, rules } of forges) {
      if (!isSafeAddress(issuer)) throw new Error('each issuer is an https address');
      for (const rule of rules) checkGrant(rule);
    }
    return forges;
  } catch (error) {
    settings.problem(`RELEASE_OIDC cannot be used: ${error instanceof Error ? error.message : error}.`);
    return [];
  }
}
