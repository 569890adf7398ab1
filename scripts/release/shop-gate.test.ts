import { gateAccount } from './shop-gate';

const demo = { phone: '13800000000', password: 'demo1234' };
const own = { phone: '13900000000', password: 'of:a shopper' };

it.each([
  ['http://localhost:8080', {}, demo],
  ['http://127.0.0.1:8080', { RELEASE_GATE_ACCOUNT: '' }, demo],
  ['https://shop.example', {}, undefined],
  ['https://localhost.example', {}, undefined],
  ['https://shop.example', { RELEASE_GATE_ACCOUNT: '13900000000:of:a shopper' }, own],
])('the gate at %s with %j signs in with %j', (shop, env, account) => {
  expect(gateAccount(shop, env)).toEqual(account);
});
