import { Type } from 'typebox';
import { exact, inBoth, oneOf, text } from '../platform/http/edit-schemas';

export const FieldSchema = exact({
  key: Type.String({ pattern: '^\\w{1,40}$' }),
  label: inBoth(60, 1),
  type: oneOf(['text', 'number', 'select', 'password'] as const),
  required: Type.Boolean(),
  remember: Type.Boolean(),
  help: Type.Optional(inBoth(300)),
  /** Matches the whole value; see `patternFault`. */
  pattern: Type.Optional(text(300, 1)),
  min_len: Type.Optional(Type.Integer({ minimum: 0, maximum: 200 })),
  max_len: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  depends_on: Type.Optional(text(40)),
  options: Type.Optional(
    Type.Array(
      exact({
        value: text(100, 1),
        label: inBoth(100, 1),
        when: Type.Optional(Type.Array(text(100), { maxItems: 200 })),
      }),
      { maxItems: 200 },
    ),
  ),
});
