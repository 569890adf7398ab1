import { readPictureOrigins } from './picture-origins';

it('picture origins are origins on https, each once', () => {
  expect(readPictureOrigins()).toEqual({ origins: [], faulty: [] });
  const text = ' https://b.example:8443, https://a.example,https://a.example,';
  expect(readPictureOrigins(text)).toEqual({ origins: ['https://a.example', 'https://b.example:8443'], faulty: [] });
});

it.each([
  'http://a.example',
  'https:',
  'https://*',
  'https://*.example',
  'https://a.example/',
  'https://a.example/pictures',
  'https://a.example:443',
  'https://user@a.example',
  'https://a.example; script-src *',
  "'unsafe-inline'",
  'data:',
  '*',
])('picture origins refuse %s', (text) => {
  expect(readPictureOrigins(text)).toEqual({ origins: [], faulty: [text] });
});
