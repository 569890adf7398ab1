import { onEveryDatabase, type TestApp } from '../../test/support/test-app';
import { rebuildSearchTexts, searchText } from './search-text';

const byDefinition = `
  select g.id as goods_id, p.currency, g.status, g.category_id, g.initial, g.recharge_type, g.sort, g.sales,
         min(case when p.spec_id is null then p.price * g.custom_min else p.price end) as min_price
    from goods g join prices p on p.goods_id = g.id left join goods_specs s on s.id = p.spec_id
   where g.status <> 2 and (p.spec_id is null or s.active) group by g.id, p.currency`;

async function checkShelf(testApp: TestApp): Promise<void> {
  const columns = 'goods_id, currency, status, category_id, initial, recharge_type, sort, sales, min_price';
  const faults = await testApp.db.rows(
    `(select ${columns} from shelf except (${byDefinition})) union all ((${byDefinition}) except select ${columns} from shelf)`,
  );
  expect(faults).toEqual([]);
  const cells = 'currency, status, category_id, initial, recharge_type';
  const counted = await testApp.db.rows(
    `select ${cells}, goods from shelf_counts where goods <> 0
     except select ${cells}, count(*) from shelf group by ${cells}`,
  );
  expect(counted).toEqual([]);
}

onEveryDatabase('the shelf table', (testApp) => {
  beforeAll(async () => {
    await testApp().db.script(`
      insert into categories (key, name_zh, name_en) select 'c' || n, '类', 'C' from generate_series(1, 3) n;
      insert into goods (key, category_id, name_zh, name_en, aliases, initial, recharge_type, spec_type, sort, sales,
                         status, custom_min, custom_max, custom_step)
        select 'g' || n, 1 + n % 4, '商品' || n, 'Goods ' || n, array['别名' || n % 7, 'Nick ' || n % 3 || 'x'],
               chr(65 + n % 5), 1 + n % 4, 1 + (n % 7 = 0)::integer, n % 10,
               n % 13, case when n % 11 = 0 then 3 when n % 17 = 0 then 2 else 1 end, 5, 50, 5 from generate_series(1, 120) n;
      insert into goods_specs (goods_id, key, name_zh, name_en, face_value, active, stock)
        select id, k::text, '面值', 'Value', k::text, (id + k) % 5 <> 0, 5 from goods, generate_series(1, 3) k
         where key like 'g%' and spec_type = 1;
      insert into prices (goods_id, spec_id, currency, price, original_price)
        select goods_id, id, c, 100 + (id * 37) % 500, 1000 from goods_specs, unnest(array['CNY', 'USD']) c
         where (id % 6 <> 0 or c = 'CNY') and not exists (select 1 from prices p where p.spec_id = goods_specs.id);
      insert into prices (goods_id, currency, price, original_price)
        select id, 'CNY', 10 + id % 9, 100 from goods where key like 'g%' and spec_type = 2`);
    await testApp().db.script("update goods set search_text = '|原|' where id % 3 = 0");
    expect(await rebuildSearchTexts(testApp().context)).toBeGreaterThan(120);
    expect(await rebuildSearchTexts(testApp().context)).toBe(0);
  });

  it('the shelf table matches its definition after every kind of change', async () => {
    await checkShelf(testApp());
    for (const change of [
      'update goods set status = 2 where id % 9 = 0',
      'update goods set status = 1 where id % 9 = 0',
      'update goods set sort = sort + 1, sales = sales * 2, category_id = 1 + id % 3 where id % 2 = 0',
      "update goods set initial = 'Z', recharge_type = 4 where id % 8 = 0",
      'update goods set custom_min = 10 where custom_min is not null',
      'update goods_specs set active = not active where id % 3 = 0',
      'update goods_specs set stock = stock - 1 where stock > 0',
      'update prices set price = price + 7 where id % 4 = 0',
      "delete from prices where currency = 'USD' and goods_id % 5 = 0",
      "update prices set currency = 'USD' where currency = 'CNY' and goods_id % 5 = 0 and id % 2 = 0",
    ]) {
      await testApp().db.script(change);
      await checkShelf(testApp());
    }
  });

  it('the shelf table includes the prices of two concurrent changes of one product', async () => {
    const prices = await testApp().db.rows<{ id: number; goods_id: number }>(
      "select id, goods_id from prices where currency = 'CNY' and spec_id is not null order by goods_id, id limit 60",
    );
    await Promise.all(
      prices.map(({ id }, index) =>
        testApp().db.run('update prices set price = $2 where id = $1', [id, 50 + ((index * 31) % 97)]),
      ),
    );
    await checkShelf(testApp());
  });

  it('the goods list pages through every sorting and filter without gaps, duplicates or a changing total', async () => {
    const categories = await testApp().value<number[]>('select json_agg(id) from categories');
    for (const sort of ['default', 'hot', 'new', 'price_asc', 'price_desc', 'name']) {
      for (const filter of [
        '',
        `&category_id=${categories[1]}`,
        '&letter=b',
        '&recharge_type=3',
        `&letter=A&recharge_type=4&category_id=${categories[0]}`,
      ]) {
        const ids: number[] = [];
        const rows: Array<{ min_price: string }> = [];
        let page = 1;
        for (let more = true; more; page++) {
          const { data } = await testApp().get(`goods/list?sort=${sort}${filter}&limit=20&page=${page}`);
          expect(data.has_more ? data.list.length : 20).toBe(20);
          if (data.list.length) expect(data.total).toBeGreaterThanOrEqual(data.list.length);
          ids.push(...data.list.map((goods: { id: number }) => goods.id));
          rows.push(...data.list);
          more = data.has_more;
          if (!more && page > 1 && data.list.length)
            expect([sort, filter, data.total]).toEqual([sort, filter, ids.length]);
        }
        const [letter, type, category] = [/letter=(\w)/, /recharge_type=(\d)/, /category_id=(\d+)/].map(
          (pattern) => pattern.exec(filter)?.[1],
        );
        const expected = await testApp().db.rows<{ goods_id: number }>(
          `select goods_id from (${byDefinition}) d where currency = 'CNY' and status = 1 and ($1::text is null or initial = upper($1))
              and ($2::integer is null or recharge_type = $2) and ($3::integer is null or category_id = $3)`,
          [letter ?? null, type ?? null, category ?? null],
        );
        expect(ids.length).toBe(new Set(ids).size);
        expect([...ids].sort()).toEqual(expected.map((row) => row.goods_id).sort());
        if (sort === 'price_asc' || sort === 'price_desc') {
          const prices = rows.map((row) => Number(row.min_price));
          expect(prices).toEqual([...prices].sort((x, y) => (sort === 'price_asc' ? x - y : y - x)));
        }
      }
    }
  });

  it('the goods counts equal the list’s length for every filter', async () => {
    const { data: counts } = await testApp().get('goods/counts');
    type Count = { category_id: number; recharge_type: number; letter: string; goods: number };
    const sum = (of: (count: Count) => boolean) =>
      (counts as Count[]).filter(of).reduce((total, count) => total + count.goods, 0);
    const total = async (filter: string) => (await testApp().get(`goods/list?limit=1&${filter}`)).data.total;
    expect(sum(() => true)).toBe(await total(''));
    for (const { category_id, recharge_type, letter, goods } of (counts as Count[]).slice(0, 12)) {
      expect(await total(`category_id=${category_id}`)).toBe(sum((count) => count.category_id === category_id));
      expect(await total(`recharge_type=${recharge_type}`)).toBe(sum((count) => count.recharge_type === recharge_type));
      expect(await total(`category_id=${category_id}&recharge_type=${recharge_type}&letter=${letter}`)).toBe(goods);
    }
  });

  it('a search finds the same goods as a scan of all goods, whole words first', async () => {
    for (const keyword of [
      '商',
      '商品',
      '商品1',
      '商品12',
      'shangpin3',
      'sp',
      'g',
      'go',
      'goods 11',
      '别名3',
      'bm',
      'bieming',
      'Nick 2',
      'ick',
      'x',
      '１２',
      '原神',
      'ys',
      'yuan',
      'nothing',
    ]) {
      const { data } = await testApp().get(`goods/list?limit=100&keyword=${encodeURIComponent(keyword)}`);
      const plain = searchText({ names: [keyword], aliases: [] }).split('|')[1] as string;
      const expected = await testApp().db.rows<{ id: number; rank: number }>(
        `select g.id, case when strpos(g.search_text, '|' || $1 || '|') > 0 then 0 when strpos(g.search_text, '|' || $1) > 0 then 1 else 2 end as rank
           from goods g join (${byDefinition}) d on d.goods_id = g.id and d.currency = 'CNY'
          where g.status = 1 and strpos(g.search_text, $1) > 0 order by rank, g.sort, g.id`,
        [plain],
      );
      expect([keyword, data.total]).toEqual([keyword, expected.length]);
      const first = expected.slice(0, 100).map((goods) => goods.id);
      expect([keyword, data.list.map((goods: { id: number }) => goods.id)]).toEqual([keyword, first]);
    }
  });

  it('a search without a match finds names with one error in a word, or characters that sound alike', async () => {
    for (const [keyword, name] of [
      ['shagpin 79', '商品79'],
      ['gooods-89', '商品89'],
      ['上品98', '商品98'],
      ['yuansehn', '原神'],
    ]) {
      const { data } = await testApp().get(`search/suggest?keyword=${encodeURIComponent(keyword as string)}`);
      expect([keyword, data.map((goods: { name: string }) => goods.name)]).toEqual([keyword, [name]]);
    }
    // An exact match excludes similar names.
    expect((await testApp().get('goods/list?limit=1&keyword=goods')).data.total).toBeGreaterThan(90);
    expect((await testApp().get('goods/list?limit=1&keyword=goods%201111')).data.total).toBe(0);
  });

  it('the goods list ends at the deepest row, however far a crawler asks', async () => {
    const { data } = await testApp().get('goods/list?page=900000&limit=100');
    expect(data).toMatchObject({ list: [], has_more: false });
  });
});
