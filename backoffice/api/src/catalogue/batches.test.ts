import { randomNumber } from '@shop/server/platform/crypto/tokens';
import { onEveryDatabase } from '@shop/server/test/support/test-app';
import { auditEntries, withStaff } from '../testing/staff';

onEveryDatabase(
  'batches of codes at /staff',
  (testApp) => {
    const ann = withStaff(testApp, 'stock');
    const ben = withStaff(testApp, 'stock');
    beforeEach(() => testApp().db.run("update staff_code_exports set asked_at = asked_at - interval '1 day'"));
    afterEach(() => testApp().check());

    const codesOf = (count: number, ending = '') =>
      Array.from({ length: count }, () => `${randomNumber()} pw${ending}`).join('\n');
    const batchOf = async (id: number, member = ann) => (await member.get(`batches?id=${id}`)).data[0];
    const imported = async (text: string, batch?: object) => {
      const body = { goods: 'card', spec: 'a', text, only_good: false, ...(batch && { batch }) };
      expect(await ann.post('codes/import', body)).toMatchObject({ code: 200 });
      return (await ann.get('batches')).data[0];
    };
    const act = (name: string, id: number, member = ann) => member.post(`batches/${name}`, { id, reason: 'sent back' });
    const fileOf = (id: number, member = ann) => member.post('batches/file', { id });
    const entries = (id: number) =>
      auditEntries(testApp(), "action <> 'codes.import' and detail ->> 'batch' = $1", String(id));
    /** Codes that were in stock before would be sold first. */
    const emptyStock = () => testApp().setStock(0);

    it('an import becomes a batch with its supplier and cost, by default with its time as its name', async () => {
      const cost = { cost: '8.50', currency: 'CNY' };
      const batch = await imported(codesOf(3), { name: '  ', supplier: ' Kelp Ltd ', ...cost });
      expect(batch).toEqual({
        id: batch.id,
        name: expect.stringMatching(/^\d{4}-\d\d-\d\d [\d:]{8}$/),
        supplier: 'Kelp Ltd',
        ...cost,
        by: ann.name,
        at: expect.any(String),
        values: ['card/a'],
        exports: [],
        imported: 3,
        sold: 0,
        reserved: 0,
        unsold: 3,
        expired: 0,
        voided: 0,
      });
      const [code] = (await ann.get('codes?goods=card&spec=a')).data;
      expect(code).toMatchObject({ batch: batch.name, batch_id: batch.id });
      expect((await ann.get('codes?goods=card&spec=b')).data[0]).toMatchObject({ batch: null, batch_id: null });
      const ids = async (query: string) => (await ann.get(`batches?${query}`)).data.map(({ id }: { id: number }) => id);
      expect(await ids('')).toContain(batch.id);
      expect(await ids(`before=${batch.id}`)).not.toContain(batch.id);
    });

    it('staff change name, supplier and cost of a batch, and the audit log has both', async () => {
      const { id, name } = await imported(codesOf(1));
      const after = { name: 'June', supplier: 'Kelp', cost: '1.05', currency: 'USD' };
      expect((await ann.post('batches/save', { id, ...after })).code).toBe(200);
      expect(await batchOf(id)).toMatchObject(after);
      const empty = { supplier: '', cost: null, currency: 'CNY' };
      expect(await entries(id)).toMatchObject([
        { detail: { before: { name, ...empty }, after: { name: 'June', cost: 105, currency: 'USD' } } },
      ]);
      for (const cost of ['-1', '1.234', 'x'])
        expect((await ann.post('batches/save', { id, ...after, cost })).code).toBe(40001);
      expect((await ann.post('batches/save', { id: 999_999, ...after })).code).toBe(404);
    });

    it('the rest of a batch is voided once, without the codes that orders have reserved or bought', async () => {
      await emptyStock();
      const { id } = await imported(codesOf(5));
      await testApp().db.run(
        `update card_codes set expire_at = now() where id = (select max(id) from card_codes where batch_id = $1)`,
        [id],
      );
      const user = await testApp().user(5000);
      await user.bought();
      await user.order();
      expect(await batchOf(id)).toMatchObject({ sold: 1, reserved: 1, unsold: 2, expired: 1, voided: 0 });
      expect((await ann.post('batches/void', { id, reason: ' ' })).code).toBe(40001);
      expect((await act('void', id)).data).toEqual({ voided: 3 });
      expect((await act('void', id)).data).toEqual({ voided: 0 });
      expect(await batchOf(id)).toMatchObject({ sold: 1, reserved: 1, unsold: 0, expired: 0, voided: 3 });
      const detail = { batch: id, count: 3, reason: 'sent back' };
      expect(await entries(id)).toEqual([{ actor: ann.actor, action: 'codes.void', detail }]);
      expect(await act('export', id)).toMatchObject({ code: 46074 });
      expect((await act('void', 999_999)).code).toBe(404);
    });

    it('an export takes the unsold codes off sale, and only its requester can read the file, again too', async () => {
      await emptyStock();
      const number = randomNumber();
      const { id } = await imported(`=${number},a"b,2099-01-31\n${number} pw`);
      expect((await act('export', id)).data).toMatchObject({ state: 'done', codes: 2 });
      expect((await (await testApp().user(5000)).order()).code).toBe(42220);
      const [file] = (await batchOf(id)).exports;
      expect(file).toMatchObject({ codes: 2, state: 'done', by: ann.name, mine: true, readable: true });
      for (let time = 0; time < 2; time++) {
        expect((await fileOf(file.id)).data.csv.split('\r\n')).toEqual([
          '\uFEFFgoods,spec,card_no,card_pwd,expire_at',
          `card,a,'=${number},"a""b",2099-01-31T15:59:59.000Z`,
          `card,a,${number},pw,`,
          '',
        ]);
      }
      expect((await batchOf(id, ben)).exports[0]).toMatchObject({ mine: false, readable: false });
      expect((await fileOf(file.id, ben)).code).toBe(404);
      const { actor } = ann;
      const exported = { batch: id, export: file.id };
      expect(await entries(id)).toEqual([
        { actor, action: 'codes.export', detail: { ...exported, count: 2, reason: 'sent back' } },
        { actor, action: 'codes.read', detail: exported },
        { actor, action: 'codes.read', detail: exported },
      ]);
    });

    it('exports above the number of a day need a second staff member, also in parts', async () => {
      await emptyStock();
      const [small, large] = [await imported(codesOf(6)), await imported(codesOf(5))];
      expect((await act('export', small.id)).data).toMatchObject({ state: 'done', codes: 6 });
      for (let time = 0; time < 2; time++)
        expect((await act('export', large.id)).data).toMatchObject({ state: 'second', codes: 5 });
      expect(await batchOf(large.id)).toMatchObject({ unsold: 5, voided: 0, exports: [{ state: 'waiting' }] });
      const waiting = (await ben.get('batches?waiting=true')).data;
      expect(waiting).toMatchObject([{ id: large.id }]);
      const { id } = waiting[0].exports[0];
      expect((await fileOf(id)).code).toBe(404);
      expect((await ann.post('batches/agree', { id })).code).toBe(46021);
      await (await testApp().user(5000)).bought();
      expect((await ben.post('batches/agree', { id })).data).toEqual({ codes: 4 });
      expect((await ben.post('batches/agree', { id })).code).toBe(404);
      expect(await batchOf(large.id)).toMatchObject({ sold: 1, unsold: 0, voided: 4 });
      for (const member of [ann, ben]) expect((await fileOf(id, member)).code).toBe(200);
      expect((await entries(large.id)).map(({ action }) => action)).toEqual([
        'codes.export-ask',
        'codes.export',
        'codes.read',
        'codes.read',
      ]);
      // An approved export does not count for its requester.
      const next = await imported(codesOf(4));
      expect((await act('export', next.id)).data).toMatchObject({ state: 'done', codes: 4 });
    });

    it('a waiting export is refused or withdrawn, and its codes stay on sale', async () => {
      for (const member of [ann, ben]) {
        const batch = await imported(codesOf(11));
        await act('export', batch.id);
        const [{ id }] = (await batchOf(batch.id)).exports;
        expect((await member.post('batches/refuse', { id })).data).toEqual({ codes: 0 });
        expect(await batchOf(batch.id)).toMatchObject({ unsold: 11, exports: [{ state: 'refused', readable: false }] });
        expect((await fileOf(id)).code).toBe(404);
        expect((await entries(batch.id)).at(-1)).toMatchObject({ action: 'codes.export-refuse' });
      }
    });

    it('orders, an export and two voids of one batch at once give each code one end', async () => {
      await emptyStock();
      const { id } = await imported(codesOf(9));
      const users = await Promise.all([1, 2, 3, 4].map(() => testApp().user(5000)));
      const [orders, [file, ...voids]] = await Promise.all([
        Promise.all(users.map((user) => user.order())),
        Promise.all([act('export', id), act('void', id, ben), act('void', id)]),
      ]);
      const sold = orders.filter(({ code }) => code === 200).length;
      const exported = file?.data?.codes ?? 0;
      const voided = voids.reduce((sum, { data }) => sum + data.voided, 0);
      expect(sold + exported + voided).toBe(9);
      expect(await batchOf(id)).toMatchObject({ reserved: sold, unsold: 0, voided: exported + voided });
    });
  },
  () => ({ STAFF_EXPORT_ABOVE: '10' }),
);
