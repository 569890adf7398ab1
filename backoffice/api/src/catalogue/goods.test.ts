import type { StaffGoods } from '@shop/server/catalogue/goods.store';
import { onEveryDatabase } from '@shop/server/test/support/test-app';
import sharp from 'sharp';
import { type StaffMember, storedCatalogue, withStaff } from '../testing/staff';

onEveryDatabase('products at /staff', (testApp) => {
  const [ann, ben] = [withStaff(testApp, 'stock'), withStaff(testApp, 'manager')];

  interface Read {
    value: StaffGoods;
    revision: string;
  }
  const read = async (key: string): Promise<Read> => (await ann.get(`goods/${key}`)).data;
  const save = (member: StaffMember, key: string, { value, revision }: Read, change: Partial<StaffGoods> = {}) =>
    member.save('goods', key, { ...value, ...change }, revision);
  const history = async (key: string) => (await ann.get(`goods/${key}/history`)).data;
  const shown = async (id: number, options = {}) => (await testApp().get(`goods/info?id=${id}`, options)).data;
  const specOf = ({ specs }: StaffGoods) => specs[0] as StaffGoods['specs'][number];
  const texts = (text: string) => ({ 'zh-CN': text, en: text });

  it.each(['card', 'direct', 'custom', 'manual'] as const)(
    'saving a %s product unchanged changes nothing in the database',
    async (key) => {
      const before = await storedCatalogue(testApp());
      const read1 = await read(key);
      expect((await save(ann, key, read1)).data).toEqual(read1);
      const changed = await save(ann, key, read1, { sort: read1.value.sort + 1 });
      expect((await save(ann, key, changed.data, { sort: read1.value.sort })).data).toEqual(read1);
      expect(await storedCatalogue(testApp())).toEqual(before);
    },
  );

  it('a saved product is shown to shoppers at once, in both languages and currencies, and audited', async () => {
    const { id } = testApp().goods.card;
    expect((await shown(id)).name).toBe('原神');
    const first = await read('card');
    const spec = specOf(first.value);
    const saved = await save(ann, 'card', first, {
      name: { 'zh-CN': '原神新名', en: 'Genshin <b>new</b>' },
      description_html: texts('<p>fine</p><script>alert(1)</script>'),
      specs: [{ ...spec, prices: { CNY: '9.9', USD: '1.20' }, original_prices: { CNY: '12.00', USD: '1.20' } }],
    });
    expect(saved.data.value.description_html).toEqual(texts('<p>fine</p>'));
    expect(await shown(id)).toMatchObject({ name: '原神新名', specs: [{ price: '9.90', original_price: '12.00' }] });
    expect(await shown(id, { locale: 'en', currency: 'USD' })).toMatchObject({
      name: 'Genshin <b>new</b>',
      specs: [{ price: '1.20', original_price: '1.20' }],
    });
    const search = async (keyword: string) => (await testApp().get(`goods/list?keyword=${keyword}`)).data.total;
    expect([await search('xinming'), await search('yuanshen')]).toEqual([1, 1]);
    const [entry] = await history('card');
    expect(entry).toMatchObject({ by: ann.actor, put_back: null });
    expect(Object.keys(entry.after).sort()).toEqual(['description_html', 'name', 'specs']);
    expect(entry).toMatchObject({ before: { name: first.value.name }, after: { name: saved.data.value.name } });
  });

  it('a sale during an edit neither conflicts with the edit nor is undone by it', async () => {
    const { id } = testApp().goods.direct;
    const first = await read('direct');
    await testApp().db.run('update goods_specs set stock = stock - 2 where goods_id = $1', [id]);
    expect((await save(ann, 'direct', first, { name: texts('after a sale') })).code).toBe(200);
    expect(await testApp().db.rows('select stock from goods_specs where goods_id = $1', [id])).toEqual([{ stock: 3 }]);
  });

  it('the second of two editors of a product gets a conflict with the stored product, and the first edit stays', async () => {
    const both = await read('manual');
    const tries = await Promise.all([
      save(ann, 'manual', both, { notice: texts('from one') }),
      save(ben, 'manual', both, { notice: texts('from the other') }),
    ]);
    expect(tries.map(({ code }) => code).sort()).toEqual([200, 46030]);
    const [first, second] = tries[0]?.code === 200 ? [0, 1] : [1, 0];
    const winner = [ann, ben][first] as StaffMember;
    expect(tries[second]?.data).toEqual({ ...tries[first]?.data, by: winner.actor });
    expect((await read('manual')).value.notice).toEqual(tries[first]?.data.value.notice);
    expect((await save(winner, 'manual', both, { notice: tries[first]?.data.value.notice })).code).toBe(200);
    const seen = await read('manual');
    await testApp().db.run("update goods set sort = sort + 1 where key = 'manual'");
    expect(await save(ann, 'manual', seen, { notice: texts('stale') })).toMatchObject({ code: 46030 });
  });

  it('a restored product edit changes back its fields only, keeps later edits of others, and is audited', async () => {
    const first = await read('custom');
    const second = await save(ann, 'custom', first, { notice: texts('wrong') });
    const third = await save(ben, 'custom', second.data, { name: texts('renamed') });
    const entry = (await history('custom'))[1];
    const stale = { key: 'custom', entry: entry.id, revision: second.data.revision };
    expect((await ann.post('goods/put-back', stale)).code).toBe(46030);
    const back = await ann.post('goods/put-back', { ...stale, revision: third.data.revision });
    expect(back.data.value).toMatchObject({ notice: first.value.notice, name: texts('renamed') });
    expect((await history('custom'))[0]).toMatchObject({
      put_back: entry.id,
      before: { notice: texts('wrong') },
      after: { notice: first.value.notice },
    });
    const other = (await history('manual'))[0].id;
    expect((await ann.post('goods/put-back', { ...stale, entry: other, revision: back.data.revision })).code).toBe(404);
  });

  it('a product is created once per key, and taken off sale and back on, whole or by specification', async () => {
    const { value } = await read('card');
    const fresh = { value: { ...value, name: texts('New goods') }, revision: null as unknown as string };
    const made = await save(ann, 'new-goods', fresh);
    expect(made.code).toBe(200);
    expect(await save(ben, 'new-goods', fresh, { name: texts('Another') })).toMatchObject({ code: 46030 });
    const id = await testApp().db.value<number>("select id from goods where key = 'new-goods'");
    expect(await shown(id)).toMatchObject({ name: 'New goods', specs: [expect.anything()] });
    const two = [...value.specs, { ...specOf(value), key: 'two', name: texts('two') }];
    const wider = await save(ann, 'new-goods', made.data, { specs: two });
    const narrower = await save(ann, 'new-goods', wider.data, { specs: two.slice(1) });
    expect((await shown(id)).specs).toHaveLength(1);
    const [entry] = await history('new-goods');
    const undo = (id: number, { revision }: Read) =>
      ann.post('goods/put-back', { key: 'new-goods', entry: id, revision });
    const back = await undo(entry.id, narrower.data);
    expect((await shown(id)).specs).toHaveLength(2);
    const hidden = await save(ann, 'new-goods', back.data, { status: 2 });
    expect((await testApp().get(`goods/info?id=${id}`)).code).toBe(42204);
    const listed = (await ann.get('goods?q=new goods')).data;
    expect(listed).toMatchObject({
      total: 1,
      list: [{ key: 'new-goods', status: 2, stock: 0, prices: [{ currency: 'CNY' }, { currency: 'USD' }] }],
    });
    const creation = (await history('new-goods')).at(-1);
    expect(creation.before).toBeNull();
    expect((await undo(creation.id, hidden.data)).code).toBe(46031);
  });

  it('an invalid product is refused with each wrong field, and nothing is saved', async () => {
    const first = await read('card');
    const spec = specOf(first.value);
    const wrong: Array<[Partial<StaffGoods>, string]> = [
      [{ name: { 'zh-CN': '', en: 'x' } }, 'value.name.zh-CN'],
      [{ category: 'nowhere' }, 'value.category'],
      [{ specs: [] }, 'value.specs'],
      [{ specs: [spec, spec] }, 'value.specs.1.key'],
      [{ specs: [{ ...spec, prices: {} }] }, 'value.specs.0.prices'],
      [{ specs: [{ ...spec, prices: { CNY: '0.00' } }] }, 'value.specs.0.prices.CNY'],
      [
        { specs: [{ ...spec, prices: { CNY: '5' }, original_prices: { CNY: '4' } }] },
        'value.specs.0.original_prices.CNY',
      ],
      [{ spec_type: 2 }, 'value.custom'],
      [{ limits: { ...first.value.limits, min: 5, max: 4 } }, 'value.limits.max'],
      [{ image: 'javascript:alert(1)' }, 'value.image'],
      [
        { fields: [{ key: 'uid', label: texts('x'), type: 'text', required: true, remember: false, pattern: '(' }] },
        'value.fields.0.pattern',
      ],
    ];
    for (const [change, field] of wrong) {
      const answer = await save(ann, 'card', first, change);
      expect([field, answer.code, answer.data.errors?.[field]]).toEqual([field, 40001, expect.any(String)]);
    }
    expect(await read('card')).toEqual(first);
    expect((await save(ann, 'bad key!', first)).code).toBe(40001);
    expect((await save(ann, 'nothing', first)).code).toBe(404);
    expect((await ann.get('goods/nothing')).code).toBe(404);
  });

  it('an uploaded picture is cropped around its focus and can be loaded by shoppers; anything else is refused', async () => {
    const quarter = { create: { width: 400, height: 400, channels: 3, background: { r: 230, g: 20, b: 20 } } } as const;
    const photo = await sharp({
      create: { width: 1600, height: 400, channels: 3, background: { r: 20, g: 20, b: 230 } },
    })
      .composite([{ input: quarter, left: 1200, top: 0 }])
      .jpeg()
      .toBuffer();
    const put = async (picture: Buffer, query: string) =>
      (await ann.inject('POST', `pictures?${query}`, picture, { 'content-type': 'image/jpeg' })).json();
    const loaded = async (query: string) => {
      const { headers, rawPayload } = await testApp().app.inject({ url: (await put(photo, query)).data.url });
      const { info, data } = await sharp(rawPayload).raw().toBuffer({ resolveWithObject: true });
      const at = (x: number) => ((data[(100 * info.width + x) * 3] ?? 0) > 128 ? 'red' : 'blue');
      return [headers['content-type'], info.width, info.height, at(5), at(info.width - 5)];
    };
    expect(await loaded('kind=goods&x=0.9&y=0.5')).toEqual(['image/webp', 320, 320, 'red', 'red']);
    expect(await loaded('kind=goods&x=0.5&y=0.5')).toEqual(['image/webp', 320, 320, 'blue', 'blue']);
    expect(await loaded('kind=banners&x=1&y=0')).toEqual(['image/webp', 1024, 448, 'blue', 'red']);
    const svg = Buffer.from('<svg onload="alert(1)"/>');
    expect(await put(svg, 'kind=goods&x=0.5&y=0.5')).toMatchObject({ code: 46032 });
  });
});
