import { atOwnMachine } from './own-machine';

const page = { pathname: '/goods/7', search: '?sort=hot&release=catalog@1.0.0-aaaaaaaa' };

it.each([
  ['http://localhost:8090', 'http://localhost:8090/goods/7?sort=hot'],
  ['localhost:8090/', 'http://localhost:8090/goods/7?sort=hot'],
  [' 127.0.0.1:1 ', 'http://127.0.0.1:1/goods/7?sort=hot'],
  ['http://[::1]:8090/other', 'http://[::1]:8090/goods/7?sort=hot'],
  ['https://192.168.1.20:8090', 'https://192.168.1.20:8090/goods/7?sort=hot'],
  ['172.16.0.9', 'http://172.16.0.9/goods/7?sort=hot'],
  ['anns-laptop.local:8090', 'http://anns-laptop.local:8090/goods/7?sort=hot'],
])('opens the page at %s', (typed, address) => {
  expect(atOwnMachine(typed, page)).toBe(address);
});

it.each([
  'https://evil.example',
  'http://localhost.evil.example',
  'http://localhost@evil.example',
  'http://user:word@localhost:8090',
  '//evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'http://172.32.0.1',
  'http://8.8.8.8',
  '',
])('leads to no other machine: %j', (typed) => {
  expect(atOwnMachine(typed, page)).toBeNull();
});
