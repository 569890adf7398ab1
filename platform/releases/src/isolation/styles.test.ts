import { findGlobalStyles } from './styles';

const found = (css: string) =>
  findGlobalStyles(css, 'promo').map(({ line, column, what }) => `${line}:${column} ${what}`);

describe('styles of a remote', () => {
  it.each([
    ['a rule below the page', '[data-remote=promo] .a { color: red }'],
    ['quotes and :where', ':where([data-remote="promo"]) .a > .b, :where([data-remote="promo"]) .c ~ .d {}'],
    ['the wrapping element', '[data-remote=promo] {}'],
    ['a condition on an element above', 'html[lang=en] [data-remote=promo] .a {}'],
    ['rules in conditions', '@media (min-width: 1px) { @supports (gap: 1px) { [data-remote=promo] .a {} } }'],
    ['@scope', '@scope ([data-remote=promo]) to (.limit) { .a { color: red } :scope > .b {} }'],
    ['nested rules', '[data-remote=promo] { .a { &:hover {} + .b {} .c & {} } }'],
    ['own names', '@keyframes promo-in { from {} to {} } @property --promo-x { syntax: "*"; inherits: false }'],
    ['an own font', '@font-face { font-family: "promo-digits"; src: url(a.woff2) }'],
  ])('pass: %s', (_, css) => {
    expect(found(css)).toEqual([]);
  });

  it.each([
    ['a bare class', '.a {}'],
    ['one of several selectors', '[data-remote=promo] .a, .b {}'],
    ['a page of another remote', '[data-remote=orders] .a {}'],
    ['a sibling of the wrapping element', '[data-remote=promo] + .a {}'],
    ['a document that contains the page', 'body:has([data-remote=promo]) {}'],
    ['all but the page', ':not([data-remote=promo]) {}'],
    ['one of several in :is', ':is([data-remote=promo], main) .a {}'],
    ['another root of @scope', '@scope (.shell) { .a {} }'],
    ['a nested sibling of the wrapping element', '[data-remote=promo] { & + .a {} }'],
    ['a nested condition on the document', '[data-remote=promo] .a { body:has(&) {} }'],
  ])('are found: %s', (_, css) => {
    expect(found(css)).toEqual([expect.stringMatching(/^1:\d+ the selector .* matches outside its pages$/)]);
  });

  it('are found in names that are valid everywhere', () => {
    const css = `@import url(other.css);
@keyframes spin {}
@font-face { font-family: Inter }
@property --x { syntax: "*" }
@page { margin: 0 }`;
    expect(found(css)).toEqual([
      '1:1 @import applies to the whole document',
      '2:1 @keyframes spin: the name must start with "promo-"',
      '3:1 @font-face: its font-family must start with "promo-"',
      '4:1 @property --x: the name must start with "promo-"',
      '5:1 @page applies to the whole document',
    ]);
  });

  it('name line and column of each fault', () => {
    expect(found('[data-remote=promo] .a {}\n  .b {}\n.c {}')).toEqual([
      '2:3 the selector .b matches outside its pages',
      '3:1 the selector .c matches outside its pages',
    ]);
  });

  it('are refused when they cannot be read', () => {
    expect(found('.a {')).toEqual([expect.stringMatching(/^1:1 cannot be read/)]);
  });
});
