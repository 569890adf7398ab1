import { addPages, linkTo } from '.';

it('returns the address of a page by its name, with the parameters of its route and of the query', () => {
  expect(linkTo('home')).toBe('/home');
  expect(linkTo('goods-detail', { id: 7 })).toBe('/goods/7');
  expect(linkTo('search', {}, { keyword: '原神 & more' })).toBe(`/search?keyword=${encodeURIComponent('原神 & more')}`);
  expect(linkTo('goods-detail', { id: 'a/b?c' }, { spec_id: 3, quantity: 2 })).toBe(
    '/goods/a%2Fb%3Fc?spec_id=3&quantity=2',
  );
});

it('links to pages of an external remote that its tests add', () => {
  addPages([{ page: './gift', path: '/gifts/:id' }]);
  expect(linkTo('gift' as 'article', { id: 3 })).toBe('/gifts/3');
  expect(() => linkTo('nowhere' as 'home')).toThrow('no page is called "nowhere"');
});

it('does not compile without a route, without its parameters or with other parameters', () => {
  const wrong = [
    // @ts-expect-error no page has this name
    () => linkTo('hme'),
    // @ts-expect-error its route takes an id
    () => linkTo('goods-detail'),
    // @ts-expect-error it has no parameter of this name
    () => linkTo('goods-detail', { key: 7 }),
    // @ts-expect-error its route takes none
    () => linkTo('home', { id: 7 }),
    // @ts-expect-error the page does not read it
    () => linkTo('search', {}, { word: 'x' }),
  ];
  expect(wrong).toHaveLength(5);
});
