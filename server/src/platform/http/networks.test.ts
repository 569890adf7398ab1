import { budgetOf, networksOf } from './networks';
import { createServer } from './server';

const SHOPPER = ['203.0.113.7/32', '203.0.113.0/24'];
const SIX = ['2001:db8:1:2ff::/64', '2001:db8:1:200::/56', '2001:db8:1::/48'];
const UNKNOWN_NETWORK = ['unknown'];

const written: Array<[entry: string, networks: string[]]> = [
  ['203.0.113.7', SHOPPER],
  ['203.0.113.7:54321', SHOPPER],
  ['::ffff:203.0.113.7', SHOPPER],
  ['[::ffff:203.0.113.7]:443', SHOPPER],
  ['"203.0.113.7:80"', SHOPPER],
  ['for=203.0.113.7;proto=https;by=10.0.0.1', SHOPPER],
  ['2001:db8:1:2ff:1::1', SIX],
  ['[2001:DB8:1:2ff::9]', SIX],
  ['[2001:db8:1:2ff::9]:51002', SIX],
  ['2001:db8:1:2ff:0:0:0:9:443', SIX],
  ['For="[2001:db8:1:2ff::9]:_port"', SIX],
  ['fe80::1%eth0', ['fe80::/64', 'fe80::/56', 'fe80::/48']],
  ['unknown', UNKNOWN_NETWORK],
  ['garbage:99', UNKNOWN_NETWORK],
  ['203.0.113.7.8', UNKNOWN_NETWORK],
  ['203.0.113.256:80', UNKNOWN_NETWORK],
  ['[2001:db8::1', UNKNOWN_NETWORK],
  ['shop.example', UNKNOWN_NETWORK],
];

it('all networks of an IPv6 /48 share eight budgets', () => {
  const budgets = Array.from({ length: 1_000 }, (_, index) => budgetOf(`2001:db8:5:${index.toString(16)}::1`));
  expect(new Set(budgets).size).toBe(8);
});

describe('the address of a request', () => {
  const addressOf = async (forwarded: string, trustProxy: false | string[] = ['loopback', '10.0.0.0/8']) => {
    const app = createServer({ logger: false, trustProxy });
    app.get('/', async ({ ip }) => ip);
    const { body } = await app.inject({ url: '/', headers: { 'x-forwarded-for': forwarded } });
    await app.close();
    return body;
  };

  it.each(written)(
    'a request that a proxy forwards for %s has an address of these networks',
    async (entry, networks) => {
      expect(networksOf(await addressOf(entry)).map(({ block }) => block)).toEqual(networks);
    },
  );

  it.each([
    ['a proxy that has a port', '203.0.113.7:1111, 10.0.0.2:2222', '203.0.113.7'],
    ['a proxy in brackets', '203.0.113.7, [::ffff:10.0.0.2]:443', '203.0.113.7'],
    ['what the client wrote itself', '198.51.100.1, unknown, 203.0.113.7:5', '203.0.113.7'],
    ['thousands of entries', `${'1.1.1.1,'.repeat(1500)}203.0.113.7`, '203.0.113.7'],
    ['blank entries', ' , 203.0.113.7,, ', '203.0.113.7'],
    ['nothing but blanks', ' , ', '127.0.0.1'],
  ])('a request has the address before the trusted proxies after %s', async (_what, forwarded, address) => {
    expect(await addressOf(forwarded)).toBe(address);
  });

  it('without a trusted proxy a request has the address of its connection', async () => {
    expect(await addressOf('203.0.113.7', false)).toBe('127.0.0.1');
  });
});
