import {
  isLink,
  isListQuery,
  isPicture,
  isShopPath,
  isTextLink,
  isWebAddress,
  PICTURE_PATTERN,
  sentLink,
} from './links';
import { foreignPictures } from './picture-origins';

const hostile = [
  'javascript:alert(1)',
  'java\tscript:alert(1)',
  '\u0001javascript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'blob:https://shop.example/1',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  'http://evil.example',
  'https:///evil.example',
  'https:\\\\evil.example',
  'https://',
  'https://shop.example@evil.example',
  'https://shop.example\\@evil.example',
  'https://evil.example/\u202egnp.exe',
  'https://evil.example/a b',
  'https://[evil',
];

it.each(hostile)('%j is not a link of any type', (text) => {
  for (const type of [0, 1, 2, 3, 4, 5, -1]) expect([type, isLink(type, text)]).toEqual([type, false]);
  const rules = [isWebAddress, isShopPath, isListQuery, isTextLink, isPicture];
  expect(rules.filter((accepts) => accepts(text))).toEqual([]);
  const none = { link_type: 0, link_value: '', title: 'x' };
  expect(sentLink({ link_type: 4, link_value: text, title: 'x' })).toEqual(none);
});

it.each([
  [0, ''],
  [1, 'genshin-card'],
  [1, '42'],
  [2, ''],
  [2, 'category=mobile&sort=new'],
  [2, '/goods?category_id=3'],
  [2, '?keyword=%E5%8E%9F'],
  [2, 'keyword=原神'],
  [3, 'guide'],
  [4, 'https://support.example:8443/chat?a=b#c'],
  // A name in another alphabet stays visible as it is, because this code cannot know whether it is misleading.
  [4, 'https://еxample.com/'],
])('a link of type %i may lead to %j', (type, value) => {
  expect(isLink(type, value)).toBe(true);
  expect(sentLink({ link_type: type, link_value: value })).toEqual({ link_type: type, link_value: value });
});

it('a text may link to its page, the shop, the web, mail addresses and phone numbers', () => {
  for (const href of [
    '#part',
    '/goods/7',
    '/article/guide?x=1',
    'https://a.example',
    'mailto:help@a.example',
    'tel:+8610',
  ])
    expect([href, isTextLink(href)]).toEqual([href, true]);
  for (const href of ['', 'goods/7', 'mailto:', 'mailto://x', '?x'])
    expect([href, isTextLink(href)]).toEqual([href, false]);
});

it('an image belongs to the shop or the web, and its path stays in its folder', () => {
  for (const address of ['/media/a-1.webp', '/uploads/x/y.png', 'https://cdn.example/a.webp'])
    expect(new RegExp(PICTURE_PATTERN).test(address)).toBe(true);
  for (const address of ['', '/staff/x', '/media/../staff/x', 'https://u@cdn.example/a', 'data:image/png;base64,AA'])
    expect([address, isPicture(address)]).toEqual([address, false]);
});

const origins = ['https://pictures.example'];

it('foreignPictures finds images of other origins in fields and texts, and accepts those of the shop and of listed ones', () => {
  const foreign = {
    image: 'https://evil.example/a.webp',
    images: ['/media/a.webp', '//evil.example/b.webp', 'https://pictures.example.evil.example/c.webp'],
    icon: 'http://pictures.example/d.webp',
    items: [{ image: '/uploads/e.webp' }, { image: 'https://evil.example/f.webp' }],
    description_html: {
      'zh-CN': '<p>a</p><img alt="x" src="https://evil.example/g.webp">',
      en: "<img src='/media/h.webp'>",
    },
    link_value: 'https://evil.example/',
  };
  expect(foreignPictures(foreign, origins)).toEqual([
    'image',
    'images.1',
    'images.2',
    'icon',
    'items.1.image',
    'description_html.zh-CN',
  ]);
  const value = {
    image: 'https://pictures.example/a.webp',
    images: ['', '/media/a.webp'],
    content: { en: '<img src="https://pictures.example/b.webp">' },
  };
  expect(foreignPictures(value, origins)).toEqual([]);
  expect(foreignPictures(value, [])).toEqual(['image', 'content.en']);
  expect(foreignPictures(undefined, [])).toEqual([]);
});
