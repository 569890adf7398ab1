import { takeStyles } from './take-styles';

it('turns style attributes into rules, because the policy refuses them', () => {
  const { html, rules } = takeStyles('<p class="a" style="--w:1px;color:red">x</p><i style="--w:1px;color:red"></i>');
  expect(html).toBe('<p class="a" data-style="--w:1px;color:red">x</p><i data-style="--w:1px;color:red"></i>');
  expect(rules).toBe('#root [data-style="--w:1px;color:red"]{--w:1px;color:red}');
});

it.each([
  'color:red}body{display:none',
  'background:url(&quot;https://x.example&quot;)',
  'color:red\\',
  'a:b</style><script>',
  '@import x',
])('drops a style that could leave its rule: %s', (style) => {
  expect(takeStyles(`<p style="${style.replace(/</g, '&lt;').replace(/>/g, '&gt;')}">x</p>`)).toEqual({
    html: '<p>x</p>',
    rules: '',
  });
});

it('leaves text alone that only looks like an attribute', () => {
  const text = '<p>write style="color:red" there</p>';
  expect(takeStyles(text)).toEqual({ html: text, rules: '' });
});
