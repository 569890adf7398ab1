import { randomBytes } from 'node:crypto';
import type { CodeFault } from '@shop/server/catalogue/read-codes';
import { rotateKeys } from '@shop/server/cli/rotate-keys';
import { Keyring } from '@shop/server/platform/crypto/keyring';
import { randomNumber } from '@shop/server/platform/crypto/tokens';
import { onEveryDatabase } from '@shop/server/test/support/test-app';
import { GoodsStatus } from '@shop/shared/domain';
import { codesAndAuditLog, lastEntry, withStaff } from '../testing/staff';
import { previewCodes } from './codes.service';

onEveryDatabase('stock and codes at /staff', (testApp) => {
  const ann = withStaff(testApp, 'stock');
  afterEach(() => testApp().check());

  const place = { goods: 'card', spec: 'a' };
  const free = (spec = 'a') =>
    testApp().db.value<number>('select count(*) from card_codes where spec_id = $1 and state = 0', [
      testApp().spec('card', spec),
    ]);
  const post = (call: string, body: object) => ann.post(`codes/${call}`, body);
  const entryOf = (action: string) => lastEntry(testApp(), 'action = $1', action);

  it('the console previews pasted codes with the faulty lines, and imports all of them or only the good ones', async () => {
    const [one, two] = [`ONE-${randomNumber()}`, `TWO-${randomNumber()}`];
    const existing = `KNOWN-${randomNumber()}`;
    const first = await post('import', { ...place, text: `${existing} pw`, only_good: false });
    expect(first.data).toEqual({ added: 1, left_out: 0 });
    const before = await free();
    const text = `${one} pw-1\n${existing},pw\n${two} a b c\n${one} pw-1\n${two} pw-2`;
    const preview = await post('preview', { ...place, text });
    const faults = [
      { line: 2, kind: 'known' },
      { line: 3, kind: 'format' },
      { line: 4, kind: 'twice', other: 1 },
    ];
    const rows = [
      { line: 1, card_no: one, card_pwd: 'pw-1', expire_at: null },
      { line: 5, card_no: two, card_pwd: 'pw-2', expire_at: null },
    ];
    expect(preview.data).toEqual({ good: 2, faults, specs: [{ ...place, good: 2 }], rows });
    expect(await post('import', { ...place, text, only_good: false })).toMatchObject({ code: 46071, data: { faults } });
    expect(await free()).toBe(before);
    expect((await post('import', { ...place, text, only_good: true })).data).toEqual({ added: 2, left_out: 3 });
    expect(await free()).toBe(before + 2);
    const detail = { added: 2, batch: expect.any(Number) };
    expect(await entryOf('codes.import')).toMatchObject({ actor: ann.actor, subject: 'card/a', detail });
    expect(await post('import', { ...place, text, only_good: true })).toMatchObject({ code: 46071 });
    expect(await free()).toBe(before + 2);
    const stored = await codesAndAuditLog(testApp());
    for (const secret of [one, two, existing, 'pw-1']) expect(stored).not.toContain(secret);
  });

  it('a CSV import adds codes to several specifications, and reports specifications that have no codes', async () => {
    const rows = ['a', 'b', 'zzz'].map((spec) => `card,${spec},${randomNumber()},p`);
    const text = ['goods,spec,card_no,card_pwd', ...rows, `direct,a,${randomNumber()},p`].join('\r\n');
    const before = [await free('a'), await free('b')];
    const body = { goods: '', spec: '', text };
    expect((await post('preview', body)).data).toMatchObject({
      good: 2,
      faults: [
        { line: 4, kind: 'goods' },
        { line: 5, kind: 'goods' },
      ],
      specs: [
        { ...place, good: 1 },
        { goods: 'card', spec: 'b', good: 1 },
      ],
    });
    await post('import', { ...body, only_good: true });
    expect([await free('a'), await free('b')]).toEqual(before.map((count) => count + 1));
    const long = Array.from({ length: 5001 }, (_, index) => `N${index}`).join('\n');
    expect(await post('preview', { ...place, text: long })).toMatchObject({ code: 46070, data: { most: 5000 } });
  });

  it('two imports of the same codes at once add each code once, in one batch', async () => {
    const before = await free();
    const text = Array.from({ length: 5 }, () => `${randomNumber()} x`).join('\n');
    const body = { ...place, text, only_good: true, batch: { name: 'twice', supplier: '', currency: 'CNY' } };
    const tries = await Promise.all([1, 2].map(() => post('import', body)));
    expect(tries.reduce((sum, { data }) => sum + (data.added ?? 0), 0)).toBe(5);
    expect(await free()).toBe(before + 5);
    expect(await testApp().db.rows("select 1 from card_batches where name = 'twice'")).toHaveLength(1);
  });

  it('a code is recognised for every value, in every letter case, without hyphens and after a rotation of keys', async () => {
    const { context, db } = testApp();
    const number = `ABCD-${randomNumber()}`;
    await post('import', { ...place, text: `${number} pw`, only_good: false });
    const kinds = async (text: string, more = {}) =>
      ((await post('preview', { ...place, spec: 'b', text, ...more })).data.faults as CodeFault[]).map(
        ({ kind }) => kind,
      );
    const wide = number.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));
    const others = [`${number} pw2`, number, `${number.replaceAll('-', '')} pw`, `${number} PW`];
    const known = [`${number} pw`, `${number.toLowerCase()} pw`, `${wide}----pw`];
    for (const text of known) expect(await kinds(text)).toEqual(['known']);
    for (const text of others) expect(await kinds(text)).toEqual(['number']);
    expect(await kinds(`${others[0]}\n${known[0]}`, { same_numbers: true })).toEqual(['known']);
    expect(await kinds('N-1 a\nn-1 b\nn1 a\nn-1 a')).toEqual(['numberTwice', 'numberTwice', 'twice']);
    const secret = randomNumber(40);
    const rotatedKeys = [{ id: 'next', key: randomBytes(32) }];
    const rotated = {
      ...context,
      config: { ...context.config, secret },
      keyring: new Keyring([...rotatedKeys, ...context.config.cardKeys]),
    };
    await rotateKeys(rotated);
    const body = { ...place, text: `${number} pw` };
    expect((await previewCodes(rotated, db, body)).faults).toEqual([{ line: 1, kind: 'known' }]);
    await rotateKeys({ ...rotated, keyring: new Keyring([...context.config.cardKeys, ...rotatedKeys]) });
  });

  it('the console shows only the ends of codes, and voids unsold ones with a reason, all or none', async () => {
    const number = `VOID-${randomNumber()}`;
    await post('import', { ...place, text: `${number} pw\nSHORT7 pw`, only_good: false });
    const listed = await ann.get(`codes?goods=card&spec=a&tail=${number.slice(-4).toLowerCase()}`);
    expect(listed.data).toContainEqual(expect.objectContaining({ number: `••••${number.slice(-4)}` }));
    expect(listed.text).not.toContain(number.slice(0, -4));
    const { id } = listed.data[0];
    const short = (await ann.get('codes?goods=card&spec=a&tail=SHORT7')).data[0];
    expect(short.number).toBe('••••');
    const user = await testApp().user(5000);
    await user.order();
    const reserved = await testApp().db.value<number>('select max(id) from card_codes where state = 1');
    const before = await free();
    const refused = { code: 46072, data: { ids: [reserved] } };
    expect(await post('void', { ids: [id, reserved], reason: 'x' })).toMatchObject(refused);
    expect(await post('void', { ids: [id], reason: ' ' })).toMatchObject({ code: 40001 });
    expect(await free()).toBe(before);
    expect((await post('void', { ids: [id, short.id], reason: 'the supplier took them back' })).code).toBe(200);
    expect(await free()).toBe(before - 2);
    const detail = { ids: [short.id, id].sort((a, b) => a - b), reason: 'the supplier took them back' };
    expect(await entryOf('codes.void')).toMatchObject({ actor: ann.actor, subject: 'card/a', detail });
    expect(await post('void', { ids: [id], reason: 'again' })).toMatchObject({ code: 46072 });
  });

  it('low stock is reported from the threshold of each specification, in the console and to Prometheus', async () => {
    const rows = async () =>
      (await ann.get('stock?q=card')).data as Array<{ spec: string; low: boolean; pieces: number }>;
    const metrics = async () => (await testApp().get('/metrics', { address: '127.0.0.1' })).text;
    const pieces = await free('b');
    const save = (low_stock: number) => ann.post('stock/save', { goods: 'card', spec: 'b', low_stock });
    await save(pieces - 1);
    const low = (await ann.get('stock/low')).data.count;
    expect(await metrics()).not.toContain('shop_stock_low{goods="card",spec="b"}');
    expect((await save(pieces)).code).toBe(200);
    expect((await rows())[0]).toMatchObject({ spec: 'b', low: true, pieces, low_stock: pieces, codes: true });
    expect((await ann.get('stock/low')).data).toEqual({ count: low + 1 });
    expect(await metrics()).toContain(`shop_stock_low{goods="card",spec="b"} ${pieces}\n`);
    expect(await entryOf('stock.edit')).toMatchObject({
      subject: 'card/b',
      detail: { before: { low_stock: pieces - 1 }, after: { low_stock: pieces } },
    });
    await post('import', { ...place, spec: 'b', text: randomNumber(), only_good: false });
    expect((await rows()).find(({ spec }) => spec === 'b')).toMatchObject({ low: false });
  });

  it('a stock search finds a hidden product, so that staff can stock it before it is on sale', async () => {
    const show = (status: number) => testApp().db.run("update goods set status = $1 where key = 'card'", [status]);
    await show(GoodsStatus.OffShelf);
    const search = async (query: string) =>
      ((await ann.get(`stock?q=${query}`)).data as Array<{ goods: string }>).some(({ goods }) => goods === 'card');
    expect(await search('')).toBe(false);
    expect(await search('card')).toBe(true);
    await show(GoodsStatus.OnShelf);
  });

  it('staff adjust a stock counter while orders take pieces, never below zero', async () => {
    const save = (add: number) => ann.post('stock/save', { goods: 'direct', spec: 'a', low_stock: 2, add });
    const spec = testApp().spec('direct');
    const stock = () => testApp().db.one('select stock from goods_specs where id = $1', [spec]);
    const sell = () => testApp().db.run('update goods_specs set stock = stock - 1 where id = $1', [spec]);
    await Promise.all([save(3), sell()]);
    expect(await stock()).toEqual({ stock: 7 });
    expect((await save(-8)).code).toBe(42220);
    expect((await save(-7)).code).toBe(200);
    expect(await stock()).toEqual({ stock: 0 });
    expect((await ann.post('stock/save', { goods: 'manual', spec: 'a', low_stock: 2, add: 1 })).code).toBe(42220);
    expect((await ann.post('stock/save', { goods: 'card', spec: 'none', low_stock: 2 })).code).toBe(404);
  });
});
