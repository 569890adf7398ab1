import { randomBytes } from 'node:crypto';
import { addStaff } from '@shop/backoffice/people/people.service';
import { staffUser } from '@shop/backoffice/testing';
import { addSharedValue } from '../../../test/support/shared-value';
import { onEveryDatabase, type TestApp } from '../../../test/support/test-app';
import { rotateKeys, rotationText } from '../../cli/rotate-keys';
import { checkKeys, encryptedColumns } from './check-keys';
import { Keyring } from './keyring';

const newKey = (id: string) => ({ id, key: randomBytes(32) });

onEveryDatabase(
  'key rotation',
  (testApp) => {
    const first = () => testApp().context.config.cardKeys;
    const fill = async (app: TestApp) => {
      const user = await app.user();
      const order = await user.order({ ...app.orderBody('direct'), fields: { uid: 'player-one' } });
      expect(order.code).toBe(200);
      const card = { name: '张三', id_card_code: '11010519491231002X' };
      expect((await user.post('user/info', card)).code).toBe(200);
      await staffUser(app.context, 'Ann', 'seller');
      await addStaff(app.context, 'Invited', 'seller');
      await addSharedValue(app.context, app.goods.card.id, 'shared', 'a guide');
    };
    const keyIds = async () => {
      const ids: Record<string, string[]> = {};
      for (const { table, keyId, columns } of encryptedColumns) {
        const rows = await testApp().db.rows<{ id: string }>(
          `select distinct ${keyId} as id from ${table} where ${columns[0]} is not null order by 1`,
        );
        ids[table] = rows.map(({ id }) => id);
      }
      return ids;
    };

    it('key rotation lists every encrypted column', async () => {
      const columns = await testApp().db.rows<{ name: string }>(
        `select table_name || '.' || column_name as name from information_schema.columns
          where table_schema = 'public' and data_type = 'bytea' and column_name not like '%\\_hash' order by 1`,
      );
      const hashes = [
        'sessions.device',
        'known_devices.device',
        'card_codes.tail_mark',
        'card_codes.number_mark',
        'card_codes.code_mark',
      ];
      const encrypted = encryptedColumns.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`));
      const listed = [...encrypted, ...hashes, 'encryption_keys.check_cipher'];
      expect(columns.map(({ name }) => name).filter((name) => !listed.includes(name))).toEqual([]);
    });

    const opened = async (...keys: Array<{ id: string; key: Buffer }>) => {
      const context = { ...testApp().context, keyring: new Keyring(keys) };
      await checkKeys(context.db, context.keyring);
      return context;
    };
    const [second, third] = [newKey('second'), newKey('third')];

    it('key rotation continues where an interrupted one stopped, over every encrypted value', async () => {
      await opened(...first());
      await fill(testApp());
      const interrupted = await opened(second, ...first());
      const { keyring } = interrupted;
      const encrypt = keyring.encrypt.bind(keyring);
      keyring.encrypt = (text) => {
        if (text.includes('player-one')) throw new Error('killed');
        return encrypt(text);
      };
      await expect(rotateKeys(interrupted)).rejects.toThrow('killed');
      expect(await keyIds()).toEqual({
        ...Object.fromEntries(encryptedColumns.map(({ table }) => [table, ['local']])),
        card_codes: ['second'],
        card_mark_keys: ['second'],
      });

      const report = await rotateKeys(await opened(second, ...first()));
      expect(report).toMatchObject({
        changed: { card_codes: 0, orders: 1, shared_code_texts: 1, staff_invitations: 1, staff_people: 1, users: 1 },
        free: ['local'],
      });
      expect(await keyIds()).toEqual(Object.fromEntries(encryptedColumns.map(({ table }) => [table, ['second']])));
      const value = async (table: string, column: string) => {
        const row = await testApp().db.one<{ sealed: Buffer }>(
          `select ${column} as sealed from ${table} where ${column} is not null limit 1`,
        );
        return new Keyring([second]).decrypt('second', row.sealed);
      };
      expect(await value('orders', 'fields_cipher')).toContain('player-one');
      expect(await value('users', 'id_card_cipher')).toBe('11010519491231002X');
      expect(await value('shared_code_texts', 'content')).toBe('a guide');
      expect(await value('card_codes', 'card_no')).toMatch(/^[0-9A-Z]{20}$/);
      expect(rotationText(report, 'second')).toContain('"local" encrypts nothing any more');
    });

    it('key rotation does not report a key as unused while it encrypts a value', async () => {
      const context = await opened(third, second, ...first());
      const { db } = context;
      // Simulates a server that still encrypts with its older first key, after the last batch and before the count.
      const rows: typeof db.rows = async (text, values) => {
        if (text.includes('count(*)')) {
          const sealed = new Keyring([second]).encrypt('11010519491231002X');
          await db.run("update users set id_card_cipher = $1, id_card_key = 'second' where is_real = 1", [sealed]);
        }
        return db.rows(text, values);
      };
      const report = await rotateKeys({ ...context, db: Object.assign(Object.create(db), { rows }) });
      expect(report.free).toEqual(['local']);
      expect(report.left.second).toEqual({ users: 1 });
      expect(rotationText(report, 'third')).toContain(
        'Keep "second": 0 card codes, 0 keys of marks, 0 orders, 0 texts for all buyers, 0 invitations of staff, 0 authenticators\' secrets, 1 identity cards are on it',
      );

      expect((await rotateKeys(context)).free).toEqual(['local', 'second']);
    });
  },
  () => ({}),
);

onEveryDatabase(
  'key check at start',
  (testApp) => {
    const refusal = (...keys: Array<{ id: string; key: Buffer }>) =>
      checkKeys(testApp().db, new Keyring(keys)).then(
        () => 'none',
        (error: Error) => error.message,
      );

    it('the start stops with one line when a key is a different one or is missing, unless it encrypts nothing any more', async () => {
      const { db, config } = testApp().context;
      await db.run('delete from encryption_keys');
      await db.run("insert into encryption_keys (id) values ('local')");
      expect(await refusal(newKey('local'))).toMatch(
        /^The keys do not open this database: the key "local" is another one\. .*$/,
      );
      expect(await refusal(newKey('next'))).toMatch(
        /^The keys do not open this database: the key "local" is missing\. .*$/,
      );
      expect(await db.rows('select id, check_cipher from encryption_keys')).toEqual([
        { id: 'local', check_cipher: null },
      ]);

      expect(await refusal(...config.cardKeys)).toBe('none');
      expect(await refusal(newKey('local'))).toContain('the key "local" is another one');
      expect(await refusal(newKey('next'), ...config.cardKeys)).toBe('none');
      await db.run("insert into encryption_keys (id) values ('retired')");
      expect(await refusal(...config.cardKeys)).toBe('none');
    });
  },
  () => ({}),
);
