/** @jest-environment node */
import { outlineOf } from './outline';

it('gives each h2 a focusable id, and lists it by the sanitiser’s name', () => {
  const { html, sections } = outlineOf(
    '<p>a</p><h2>一、账号</h2><p>b</p><h2 class="x">二、<em>商品</em></h2>',
    'agreement',
  );
  expect(html).toBe(
    '<p>a</p><h2 id="agreement-1" tabindex="-1">一、账号</h2><p>b</p><h2 id="agreement-2" tabindex="-1">二、<em>商品</em></h2>',
  );
  expect(sections).toEqual([
    { id: 'user-content-agreement-1', title: '一、账号' },
    { id: 'user-content-agreement-2', title: '二、商品' },
  ]);
});

it('decodes entities and joins lines', () => {
  expect(outlineOf('<h2>Terms\n &amp; &lt;b&gt;</h2>', 'a').sections[0]?.title).toBe('Terms & <b>');
});

it('leaves out empty headings and headings of other levels', () => {
  const html = '<h2> </h2><h3>Small</h3>';
  expect(outlineOf(html, 'a')).toEqual({ html, sections: [] });
});
