import { criticalStyles, readSheet } from './critical-styles';

const html = '<div class="shell shell--tab-bar"><p class="price">1</p></div>';
const stylesOf = (sheets: string[]) => criticalStyles(sheets.map(readSheet), html);

it('keeps the rules whose classes the page has, in their order, and those without a class', () => {
  const sheets = ['html{margin:0}.shell .price{color:red}.dialog .price{color:blue}', '.price{color:green}.other{x:y}'];
  expect(stylesOf(sheets)).toBe('html{margin:0}.shell .price{color:red}.price{color:green}');
});

it('needs one of several selectors, and no class that a selector excludes', () => {
  expect(stylesOf(['.gone,.price{a:b}.price:not(.is-old):hover{c:d}.gone:not(.price){e:f}'])).toBe(
    '.gone,.price{a:b}.price:not(.is-old):hover{c:d}',
  );
});

it('looks into conditions, and leaves out those with nothing of the page', () => {
  const sheet = '@media (min-width:960px){.price{a:b}.gone{c:d}}@supports (x:y){@media print{.gone{a:b}}}';
  expect(stylesOf([sheet])).toBe('@media (min-width:960px){.price{a:b}}');
});

it('keeps the keyframes that a kept rule names', () => {
  const sheet = '@keyframes pulse{to{opacity:0}}@keyframes spin{to{rotate:1turn}}.price{animation:pulse 1s}';
  expect(stylesOf([sheet])).toBe('.price{animation:pulse 1s}@keyframes pulse{to{opacity:0}}');
});

it('cannot end its element', () => {
  expect(stylesOf(['.price{content:"</style>"}'])).not.toContain('</style');
});
