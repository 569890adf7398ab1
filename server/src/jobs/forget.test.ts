import fs from 'node:fs';
import path from 'node:path';
import { onEveryDatabase } from '../../test/support/test-app';
import { type PeriodName, periods } from '../accounts/retention/periods';
import { removePictures } from '../accounts/uploads/remove-pictures.service';
import { forgetHealth } from '../health/health-store';
import type { Sql } from '../platform/db/sql';
import { forget, forgetOrderNetworks } from './forget';

const AT = new Date('2020-07-15T12:00:00Z');
const IDLE_SECONDS = 3600;

onEveryDatabase('deletion of expired data', (testApp) => {
  /** Runs the statement with {time} a minute within the period ({n} is 1), and a minute past it ({n} is 2). */
  async function insertAround(period: PeriodName, insert: string): Promise<void> {
    for (const [n, side] of ['+', '-'].entries()) {
      const time = `timestamptz '${AT.toISOString()}' - interval '${periods[period]}' ${side} interval '1 minute'`;
      const values: Record<string, unknown> = { time, n: n + 1, user, spec: testApp().spec('card') };
      await testApp().db.script(insert.replace(/\{(time|n|user|spec)\}/g, (_, name) => String(values[name])));
    }
  }
  const left = async (text: string) => (await testApp().db.rows<{ n: string }>(text)).map(({ n }) => n);
  let user: number;
  beforeAll(async () => {
    user = (await testApp().user()).id;
  });

  const user_id = '{user}';
  const enquiry = { company: '', contact: '', phone: '', type: '', content: '', address: '' };
  const release = { name: 'forget', version: '{n}' };
  const segment = { traffic: 100, language: 'en', device: 'phone', signed_in: false };
  const reason = { why: '', evidence: {} };
  const step = { traffic: 100, control: false, stands: true, path: 'a>b', segment: [] };
  it.each<[table: string, time: string, PeriodName, row: object]>([
    ['idempotency_keys', 'created_at', 'responses', { user_id, route: '', key: '{n}', body_hash: '', response: {} }],
    ['verification_codes', 'expires_at', 'endedCode', { phone: 'f{n}', purpose: 'login' }],
    ['code_sends', 'at', 'codeSends', { phone: 'f{n}', address: '' }],
    ['dev_outbox', 'at', 'codeSends', { phone: 'f{n}', code: '' }],
    ['known_devices', 'proved_at', 'devices', { user_id, device: '\\x0{n}' }],
    ['known_addresses', 'seen_at', 'addresses', { user_id, address: 'f{n}' }],
    ['payers', 'seen_at', 'payers', { user_id, payer_hash: '\\x0{n}' }],
    ['audit_log', 'at', 'addresses', { actor: 'test', action: 'session.forget', subject: '{n}' }],
    ['business_enquiries', 'created_at', 'enquiries', enquiry],
    ['notices', 'created_at', 'notices', { user_id, channel: 'mail', kind: 'forget', about: '{n}', data: {} }],
    ['stock_wishes', 'created_at', 'stockWishes', { user_id, spec_id: '{spec}', told_at: '2020-01-0{n}' }],
    ['rate_limits', 'resets_at', 'endedLimits', { key: 'forget:{n}', hits: 1 }],
    ['release_minutes', 'minute', 'healthCounts', { ...release, ...segment, visits: 1, failures: 0 }],
    ['release_errors', 'hour', 'healthCounts', { ...release, kind: 'error', at: 'main.js:1:2', visits: 1 }],
    ['release_events', 'at', 'releaseEvents', { ...release, id: 'forget {n}', channel: 'p', kind: 'alert', ...reason }],
    ['release_visits', 'at', 'visitSteps', { visit: '{n}', network: '{n}', rev: 1, stands: true, steps: [] }],
    ['release_steps', 'at', 'healthCounts', { ...release, ...step, visits: 1, reached: 0 }],
  ])(
    'the forget job deletes rows of %s by their %s after the period "%s" and not before',
    async (table, time, period, row) => {
      const columns = Object.keys(row).join(', ');
      const json = JSON.stringify(row);
      await insertAround(
        period,
        `insert into ${table} (${time}, ${columns}) select {time}, ${columns} from jsonb_populate_record(null::${table}, '${json}')`,
      );
      await forget(testApp().db, IDLE_SECONDS, AT);
      await forgetHealth(testApp().db, AT);
      const rows = `select ${time} > $1::timestamptz - $2::interval as within from ${table} where ${time} < '2021-01-01'`;
      expect(await testApp().db.rows(rows, [AT, periods[period]])).toEqual([{ within: true }]);
    },
  );

  it('the forget job clears addresses and sessions in the audit log after their period, and keeps the rest and every order', async () => {
    const { db } = testApp();
    const shopper = await testApp().user(5000);
    await testApp().addStock(1);
    await shopper.bought();
    await insertAround(
      'addresses',
      `insert into audit_log (at, actor, action, subject, detail, network, session)
         values ({time}, 'test', 'forget-network', '{n}', '{"cards": 1}', '10.0.0.1/32', 's')`,
    );
    const rows = () =>
      db.one('select (select count(*) from audit_log) as audited, (select count(*) from orders) as orders');
    const before = await rows();
    await forget(db, IDLE_SECONDS, AT);
    const entries = "select subject as n from audit_log where action = 'forget-network'";
    expect(await left(`${entries} and num_nonnulls(network, session) > 0`)).toEqual(['1']);
    expect(await forgetOrderNetworks(db, new Date('2041-01-01'))).toBeGreaterThan(0);
    expect(await rows()).toEqual(before);
    expect(await db.rows('select 1 from orders where network is not null')).toEqual([]);
    const cleared = "action = 'forget-network' and network is null";
    expect(await db.rows(`select detail from audit_log where ${cleared}`)).toEqual([{ detail: { cards: 1 } }]);
  });

  it('the forget job deletes any number of rows in statements of a bounded size', async () => {
    const { db } = testApp();
    await db.run(
      "insert into rate_limits (key, hits, resets_at) select 'many:' || n, 1, $1 from generate_series(1, 10001) n",
      [new Date('2020-01-01')],
    );
    await db.run(
      `insert into audit_log (at, actor, action, subject, network)
       select $1, 'test', 'forget-many', n::text, '10.0.0.1/32' from generate_series(1, 5001) n`,
      [new Date('2020-01-01')],
    );
    const run = jest.spyOn(db, 'run');
    const value = jest.spyOn(db, 'value');
    await forget(db, IDLE_SECONDS, AT);
    const counts = await Promise.all(run.mock.results.map(({ value }) => value as Promise<number>));
    const events = await Promise.all(value.mock.results.map(({ value }) => value as Promise<number>));
    jest.restoreAllMocks();
    expect(Math.max(...counts)).toBe(5000);
    expect(Math.max(...events)).toBe(5000);
    expect(await left("select key as n from rate_limits where key like 'many:%'")).toEqual([]);
    expect(
      await left("select subject as n from audit_log where action = 'forget-many' and network is not null"),
    ).toEqual([]);
  });

  it('the forget job deletes the rest when one part fails, and then reports the failure', async () => {
    const { db } = testApp();
    await db.run("insert into code_sends (phone, address, at) values ('rest', '', $1)", [new Date('2020-01-01')]);
    const run = db.run.bind(db);
    jest.spyOn(db, 'run').mockImplementation((text, values) => {
      const failing = /^delete from (idempotency_keys|sessions|verification_codes) /.exec(text)?.[1];
      return failing ? Promise.reject(new Error(`stuck: ${failing}`)) : run(text, values);
    });
    await expect(forget(db, IDLE_SECONDS, AT)).rejects.toThrow('stuck: idempotency_keys');
    jest.restoreAllMocks();
    expect(await left("select phone as n from code_sends where phone = 'rest'")).toEqual([]);
  });

  it('the forget job clears the network addresses of all old orders in one run, by their index', async () => {
    const run = jest.fn().mockResolvedValueOnce(2000).mockResolvedValueOnce(2000).mockResolvedValueOnce(7);
    expect(await forgetOrderNetworks({ run } as unknown as Sql, AT)).toBe(4007);
    const plan = await testApp().db.withTransaction(async (sql) => {
      await sql.script('set local enable_seqscan = off');
      return sql.rows(`explain ${run.mock.calls[0][0].replaceAll('$1', 'now()').replaceAll('$2', "'6 months'")}`);
    });
    expect(JSON.stringify(plan)).toContain('orders_networks');
  });

  it('removePictures deletes unused uploaded pictures with their files, and leftovers of interrupted uploads', async () => {
    const { db, context } = testApp();
    const { pictures } = context.providers;
    const paths = ['new', 'used', 'old'].map((name) => `avatar/${user}/${name}.webp`);
    for (const [index, name] of paths.entries()) {
      await pictures.put(name, Buffer.from(name), 'image/webp');
      await db.run(
        `insert into uploads (path, user_id, mime, size, created_at) values ($1, $2, 'image/webp', 1, $3::timestamptz - $4::interval - $5::interval)`,
        [`/uploads/${name}`, user, AT, periods.unusedPictures, index === 0 ? '-1 minute' : '1 minute'],
      );
    }
    await db.run('update users set avatar = $2 where id = $1', [user, `/uploads/${paths[1]}`]);
    const parts = path.join(context.config.dataDir, 'uploads-part');
    fs.mkdirSync(parts, { recursive: true });
    for (const [name, minutes] of Object.entries({ left: 61, 'being-written': 59 })) {
      fs.writeFileSync(path.join(parts, name), 'half');
      const at = new Date(AT.getTime() - minutes * 60_000);
      fs.utimesSync(path.join(parts, name), at, at);
    }
    expect(await removePictures(context, AT)).toBe(1);
    const files = await Promise.all(paths.map((name) => pictures.get(name)));
    expect(files.map(Boolean)).toEqual([true, true, false]);
    expect(await left(`select path as n from uploads where user_id = ${user} order by path`)).toEqual(
      [paths[0], paths[1]].map((name) => `/uploads/${name}`),
    );
    expect(fs.readdirSync(parts)).toEqual(['being-written']);
    fs.rmSync(parts, { recursive: true });
    await removePictures(context, AT);
  });

  it('removePictures keeps a picture whose file could not be deleted for the next run', async () => {
    const { db, context } = testApp();
    const path = `/uploads/avatar/${user}/stuck.webp`;
    await db.run(
      "insert into uploads (path, user_id, mime, size, removed_at) values ($1, $2, 'image/webp', 1, now())",
      [path, user],
    );
    jest.spyOn(context.providers.pictures, 'remove').mockRejectedValueOnce(new Error('the bucket is away'));
    await expect(removePictures(context, AT)).rejects.toThrow('the bucket is away');
    expect((await testApp().app.inject(path)).statusCode).toBe(404);
    expect(await removePictures(context, AT)).toBe(1);
  });
});
