/** @jest-environment node */
import { linkTarget, listAddress } from './shop-link';

it.each([
  [1, '7', '/goods/7'],
  [2, 'category_id=3', '/goods?category_id=3'],
  [2, '', '/goods'],
  [3, 'guide', '/article/guide'],
  [4, 'https://example.com/x', 'https://example.com/x'],
])('opens the target of type %i with "%s"', (type, value, target) => {
  expect(linkTarget(type, value)).toBe(target);
});

it.each([
  [0, ''],
  [1, 'abc'],
  [3, ''],
  [4, 'http://example.com'],
  [4, 'javascript:alert(1)'],
  [4, 'no address'],
  [9, '7'],
])('has no target for type %i with "%s"', (type, value) => {
  expect(linkTarget(type, value)).toBeNull();
});

it('accepts the address of a list with or without its path', () => {
  expect(listAddress('?sort=hot')).toBe('/goods?sort=hot');
  expect(listAddress('/goods?sort=hot')).toBe('/goods?sort=hot');
});
