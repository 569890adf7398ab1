import { criticalStyles, readSheet } from './critical-styles';

const html = '<div class="shell shell--tab-bar"><p class="price">1</p></div>';
const stylesOf = (sheets: string[]) => criticalStyles(sheets.map(readSheet), html);

it('the critical styles have the rules whose classes the page has, in order, and rules without a class', () => {
  const sheets = ['html{margin:0}.shell .price{color:red}.dialog .price{color:blue}', '.price{color:green}.other{x:y}'];
  expect(stylesOf(sheets)).toBe('html{margin:0}.shell .price{color:red}.price{color:green}');
});

it('the critical styles have a rule when one of its selectors matches, and ignore classes that a selector excludes', () => {
  expect(stylesOf(['.gone,.price{a:b}.price:not(.is-old):hover{c:d}.gone:not(.price){e:f}'])).toBe(
    '.gone,.price{a:b}.price:not(.is-old):hover{c:d}',
  );
});

it('the critical styles include matching rules of conditional groups, and leave out groups without any', () => {
  const sheet = '@media (min-width:960px){.price{a:b}.gone{c:d}}@supports (x:y){@media print{.gone{a:b}}}';
  expect(stylesOf([sheet])).toBe('@media (min-width:960px){.price{a:b}}');
});

it('the critical styles keep the keyframes that a kept rule names', () => {
  const sheet = '@keyframes pulse{to{opacity:0}}@keyframes spin{to{rotate:1turn}}.price{animation:pulse 1s}';
  expect(stylesOf([sheet])).toBe('.price{animation:pulse 1s}@keyframes pulse{to{opacity:0}}');
});

it('the critical styles cannot close their element', () => {
  expect(stylesOf(['.price{content:"</style>"}'])).not.toContain('</style');
});
