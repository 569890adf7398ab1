import { configFault, saveConfig } from '@shop/server/content/content.service';
import type { DomainOptions } from '@shop/server/context';
import { fieldError, ShopError } from '@shop/server/platform/http/errors';
import { ErrorCode } from '@shop/shared/domain';
import { Type } from 'typebox';
import { callFor } from '../calls';
import { record } from '../people/record';

const ConfigBodySchema = Type.Object({
  key: Type.String({ pattern: '^[a-z_]{1,40}$' }),
  value: Type.Unknown(),
});
const call = callFor('settings');

export const configCalls = ({ context: { db }, reads }: DomainOptions) => ({
  'GET config': call({}, async () => {
    const rows = await reads.rows<{ key: string; value: unknown }>('select key, value from app_config order by key');
    return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  }),
  'POST config': call({ body: ConfigBodySchema }, async ({ body: { key, value } }) => {
    const fault = configFault(key, value);
    if (fault) throw fieldError({ value: fault });
    await db.withTransaction(async (sql) => {
      const before = await sql.row<{ value: unknown }>('select value from app_config where key = $1 for update', [key]);
      // No reader would ever use a misspelt key.
      if (!before) throw new ShopError(ErrorCode.NotFound);
      await saveConfig(sql, key, value);
      const detail = { before: { value: before.value }, after: { value } };
      await record(sql, { action: 'config.edit', subject: key, detail });
    });
  }),
});
