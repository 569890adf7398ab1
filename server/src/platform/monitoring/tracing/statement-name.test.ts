import { statementName } from './statement-name';

it.each([
  ['select id, name\n  from goods where id = $1', 'select goods', 'select id, name from goods where id = $1'],
  ["update users set phone = '139''0000' where id = 42", 'update users', 'update users set phone = ? where id = ?'],
  ['insert into orders (no) values ($1)', 'insert orders', 'insert into orders (no) values ($1)'],
  ['select order_create($1, $2, 10)', 'select order_create', 'select order_create($1, $2, ?)'],
  [
    "delete from limits where at < now() - interval '1 day'",
    'delete limits',
    'delete from limits where at < now() - interval ?',
  ],
  ['begin', 'begin', 'begin'],
])('the statement %s is named %s, without its values', (statement, summary, text) => {
  expect(statementName(statement)).toEqual({ summary, text });
});

it('a long statement is truncated', () => {
  expect(statementName(`select ${'a, '.repeat(1_000)}b from goods`).text).toHaveLength(1_000);
});
