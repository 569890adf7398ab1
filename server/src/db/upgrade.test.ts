import { openEmbedded } from './database';


it('replays a response that was stored before results were stored as data', async () => {
  const db = await openEmbedded({ template: process.env.SHOP_TEST_EMPTY });
  const migrations = readMigrations();
  await migrate(
    db,
    migrations.filter(({ version }) => version < 15),
  );
  const { id } = await db.one<{ id: number }>(
    "insert into users (phone, nickname, invite_code) values ('13900000000', 'n', 'ABCDEFGH') returning id",
  );
  const answer = '{"code" : 200, "message" : "OK", "data" : {"order_no" : "1"}, "request_id" : "r"}';
  const call = [id, '/api/front/order/create', 'key-0001', Buffer.from('body')];
  await db.run('insert into idempotency_keys (user_id, route, key, body_hash, answer) values ($1, $2, $3, $4, $5)', [
    ...call,
    answer,
  ]);

  await migrate(db, migrations);

  expect(await db.one('select answer, result from idempotency_take($1, $2, $3, $4)', call)).toEqual({
    answer,
    result: null,
  });
  await db.close();
});
