import { foreignPictures } from './picture-origins';

const origins = ['https://pictures.example'];

it('foreignPictures finds images of other origins, in fields and in texts', () => {
  const value = {
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
  expect(foreignPictures(value, origins)).toEqual([
    'image',
    'images.1',
    'images.2',
    'icon',
    'items.1.image',
    'description_html.zh-CN',
  ]);
});

it('foreignPictures accepts images of the shop and of the listed origins', () => {
  const value = {
    image: 'https://pictures.example/a.webp',
    images: ['', '/media/a.webp'],
    content: { en: '<img src="https://pictures.example/b.webp">' },
  };
  expect(foreignPictures(value, origins)).toEqual([]);
  expect(foreignPictures(value, [])).toEqual(['image', 'content.en']);
  expect(foreignPictures(undefined, [])).toEqual([]);
});
