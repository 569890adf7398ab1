import type { StaffModule } from '@shop/server/catalogue/storefront.store';
import { Sql } from '@shop/server/platform/db/sql';
import { onEveryDatabase } from '@shop/server/test/support/test-app';
import { withStaff } from '../testing/staff';
import { article, banner, both, homeModule } from '../testing/values';
import type { StaffArticle } from './articles.service';

onEveryDatabase('content of the shop', (testApp) => {
  const stock = withStaff(testApp, 'stock');
  const noon = Math.ceil(Date.now() / 1000) * 1000 + 60_000;
  const at = (seconds: number) => new Date(noon + seconds * 1000).toISOString();
  afterEach(() => jest.restoreAllMocks());
  const save = async (path: string, key: string, value: object, revision: string | null = null) => {
    const saved = await stock.save(path, key, value, revision);
    expect(saved).toMatchObject({ code: 200, data: { value } });
    return saved.data as { revision: string };
  };
  const get = (url: string) => testApp().get(url, { locale: 'en' });
  const titles = async (url: string) => ((await get(url)).data as Array<{ title: string }>).map(({ title }) => title);
  const atTimes = async <T>(work: () => Promise<T>) => {
    const answers: T[] = [];
    for (const ms of [-1, 0, 9_999, 10_000]) {
      jest.spyOn(Date, 'now').mockReturnValue(noon + ms);
      answers.push(await work());
      expect(await work()).toEqual(answers.at(-1));
    }
    return answers;
  };

  it.each([
    ['banners', 'swiper/list', banner],
    ['modules', 'customModule/list', homeModule],
    ['articles', 'article/all', article],
  ] as const)('timed %s appear and end to the millisecond', async (path, url, make) => {
    await save(path, 'timed', make({ title: both('Timed'), starts_at: at(0), ends_at: at(10) }));
    expect(await atTimes(async () => (await titles(url)).includes('Timed'))).toEqual([false, true, true, false]);
  });

  it('the text of a timed article appears and ends with it, and a draft has none', async () => {
    await save('articles', 'draft', article({ published: false }));
    expect(await atTimes(async () => (await get('article/info?id=timed')).code)).toEqual([404, 200, 200, 404]);
    expect((await get('article/info?id=draft')).code).toBe(404);
    expect((await get('article/all')).data).not.toContainEqual(expect.objectContaining({ id: 'draft' }));
  });

  it('a timed list needs no SQL statement between two changes', async () => {
    await save('banners', 'later', banner({ starts_at: at(100) }));
    jest.spyOn(Date, 'now').mockReturnValue(noon);
    await get('swiper/list');
    const spy = jest.spyOn(Sql.prototype, 'rows');
    expect((await get('swiper/list')).code).toBe(200);
    expect(spy.mock.calls.filter(([text]) => text.includes('swipers'))).toEqual([]);
  });

  it('banners and modules appear in their order and with their links', async () => {
    await save('banners', 'second', banner({ title: both('Second'), sort: 2 }));
    const link = { link_type: 2, link_value: 'category=games' } as const;
    await save('banners', 'first', banner({ title: both('First'), sort: 1, ...link }));
    const { revision } = await save('banners', 'hidden', banner({ title: both('Hidden'), sort: 0 }));
    await save('banners', 'hidden', banner({ title: both('Hidden'), sort: 0, shown: false }), revision);
    const shown = (await get('swiper/list')).data;
    const category = await testApp().db.value<number>("select id from categories where key = 'games'");
    expect(shown.slice(0, 2)).toMatchObject([
      { title: 'First', link_type: 2, link_value: `category_id=${category}` },
      { title: 'Second', link_type: 1, link_value: String(testApp().goods.card.id), image_alt: 'Stars' },
    ]);
    await save('modules', 'new', homeModule({ sort: 0 }));
    expect((await get('customModule/list')).data[0]).toMatchObject({
      title: 'New',
      more_link: `/goods?category_id=${category}`,
      items: [
        { title: 'Genshin Impact', price: '10.00', link_value: String(testApp().goods.card.id) },
        { title: 'Games', tag: 'Hot', link_value: `category_id=${category}&sort=new` },
      ],
    });
    expect((await stock.get('modules')).data).toContainEqual(expect.objectContaining({ key: 'new', state: 'shown' }));
    const states = (await stock.get('banners')).data as Array<{ key: string; state: string }>;
    expect(states).toContainEqual(expect.objectContaining({ key: 'hidden', state: 'hidden' }));
    expect(states).toContainEqual(expect.objectContaining({ key: 'later', state: 'waiting' }));
  });

  describe.each([
    ['banners', 'swipers', banner],
    ['modules', 'custom_modules', homeModule],
  ] as const)('staff reorder %s', (path, table, make) => {
    const keysOf = async () => ((await stock.get(path)).data as Array<{ key: string }>).map(({ key }) => key);
    const sorts = () => testApp().db.rows<{ key: string; sort: number }>(`select key, sort from ${table} order by key`);
    const order = (keys: string[], before: string[]) => stock.post(`${path}/order`, { keys, before });
    beforeAll(async () => {
      for (const [index, key] of ['o-one', 'o-two', 'o-three'].entries())
        await save(path, key, make({ sort: 500 + index }));
    });

    it('swapping two neighbours changes only those two, with an entry in the history of each', async () => {
      const before = await keysOf();
      const rows = await sorts();
      const keys = [...before];
      const at = keys.indexOf('o-one');
      keys.splice(at, 2, 'o-two', 'o-one');
      expect((await order(keys, before)).code).toBe(200);
      expect(await keysOf()).toEqual(keys);
      const changed = (await sorts()).filter(({ key, sort }) => rows.find((row) => row.key === key)?.sort !== sort);
      expect(changed).toEqual([
        { key: 'o-one', sort: 501 },
        { key: 'o-two', sort: 500 },
      ]);
      expect((await stock.get(`${path}/o-one/history`)).data[0]).toMatchObject({
        before: { sort: 500 },
        after: { sort: 501 },
        by: expect.stringContaining(stock.name),
      });
      expect((await order(keys, before)).code).toBe(46030);
      expect((await order(keys, keys)).code).toBe(200);
    });

    it('reordering gives items with equal numbers different numbers', async () => {
      const before = await keysOf();
      await testApp().db.run(`update ${table} set sort = 500 where key in ('o-one', 'o-two', 'o-three')`);
      const tied = await keysOf();
      expect(tied).toHaveLength(before.length);
      const keys = [...tied].reverse();
      expect((await order(keys, tied)).code).toBe(200);
      expect(await keysOf()).toEqual(keys);
    });

    it('a new order is refused if the stored order has changed, or if the keys differ', async () => {
      const before = await keysOf();
      const [first = '', ...rest] = before;
      const refused = async (keys: string[], seen: string[]) => (await order(keys, seen)).code;
      expect(await refused([...rest, first], [...rest, first])).toBe(46030);
      expect(await refused(rest, before)).toBe(40001);
      expect(await refused([...rest, rest[0] ?? ''], before)).toBe(40001);
      expect(await refused([...rest, 'no-such-thing'], before)).toBe(40001);
      expect(await keysOf()).toEqual(before);
    });

    it('one of two concurrent reorderings wins', async () => {
      const before = await keysOf();
      const [first = '', second = '', ...rest] = before;
      const codes = await Promise.all([
        order([second, first, ...rest], before),
        order([...rest, first, second], before),
      ]);
      expect(codes.map(({ code }) => code).sort()).toEqual([200, 46030]);
      const after = await keysOf();
      expect([...after].sort()).toEqual([...before].sort());
      expect(after).not.toEqual(before);
    });
  });

  it('a countdown continues when other fields of its module change', async () => {
    const end = async () =>
      (await get('customModule/list')).data.find(({ title }: StaffModule) => `${title}` === 'Timer').countdown_end;
    const { revision } = await save('modules', 'timer', homeModule({ title: both('Timer'), countdown_hours: 5 }));
    const before = await end();
    await save('modules', 'timer', homeModule({ title: both('Timer'), countdown_hours: 5, sort: 50 }), revision);
    expect(await end()).toBe(before);
  });

  it('banners and articles refuse pictures of other sites, which the content security policy blocks', async () => {
    const message = expect.stringMatching(/MEDIA_ORIGINS/);
    const image = 'https://evil.example/a.webp';
    const content = { 'zh-CN': `<p>a</p><img src="${image}">`, en: '' };
    for (const [path, value, field] of [
      ['banners', banner({ image }), 'value.image'],
      ['articles', article({ content }), 'value.content.zh-CN'],
    ] as const)
      expect((await stock.save(path, 'wrong', value)).data).toEqual({ errors: { [field]: message } });
  });

  it('banners and modules link only into the shop', async () => {
    const refused = async (over: object) => (await stock.save('banners', 'wrong', { ...banner(), ...over })).code;
    expect(await refused({ link_value: 'no-such-product' })).toBe(46046);
    expect(await refused({ link_type: 3, link_value: 'no-such-article' })).toBe(46046);
    expect(await refused({ image: 'javascript:alert(1)' })).toBe(40001);
    expect(await refused({ starts_at: at(1), ends_at: at(1) })).toBe(40001);
  });

  const hostile =
    '<h2>标题</h2><p onclick="x()">a &lt;b&gt; <a href="javascript:x()">go</a></p><script>x()</script><img src="/media/a.webp">';
  it('an article is stored as the shop shows it, and its preview is the same', async () => {
    const content = { 'zh-CN': hostile, en: '<p>Text</p>' };
    expect((await stock.save('articles', 'hostile', article({ content }))).data).toEqual({
      errors: { 'value.content.zh-CN': expect.stringContaining('https') },
    });
    const value = article({ content: { ...content, 'zh-CN': hostile.replace('javascript:x()', '/goods') } });
    expect((await stock.save('articles', 'hostile', value)).code).toBe(200);
    const shown = (await testApp().get('article/info?id=hostile')).data;
    expect(shown.content).not.toMatch(/script|onclick|javascript/);
    expect((await stock.get('articles/hostile')).data.value.content['zh-CN']).toBe(shown.content);
  });

  it('an article has an address of lower-case letters, and articles that the law requires are always shown', async () => {
    const codeOf = async (key: string, over: Partial<StaffArticle> = {}) =>
      (await stock.save('articles', key, article(over))).code;
    expect(await codeOf('Upper_Case')).toBe(46044);
    expect(await codeOf('privacy', { published: false })).toBe(46045);
    expect(await codeOf('agreement', { ends_at: new Date().toISOString() })).toBe(46045);
    expect(await codeOf('guide')).toBe(200);
  });
});
