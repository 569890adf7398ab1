/** @jest-environment node */
import { linkTarget } from './shop-link';

it.each([
  [1, '7', '/goods/7'],
  [2, 'category_id=3', '/goods?category_id=3'],
  [2, '', '/goods'],
  [2, '?sort=hot', '/goods?sort=hot'],
  [2, '/goods?sort=hot', '/goods?sort=hot'],
  [3, 'guide', '/article/guide'],
  [4, 'https://example.com/x', 'https://example.com/x'],
  [0, '', null],
  [1, 'abc', null],
  [3, '', null],
  [4, 'http://example.com', null],
  [4, 'javascript:alert(1)', null],
  [4, 'no address', null],
  [9, '7', null],
])('opens for type %i with "%s" the target %s', (type, value, target) => {
  expect(linkTarget(type, value)).toBe(target);
});
