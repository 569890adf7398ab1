import { plainDescription } from './plain-description';

it('a plain description is the text without headings, with a space between blocks', () => {
  expect(plainDescription('<h2>About</h2><p>A &amp; B<br>C</p><ul><li>1 &lt; 2</li></ul>')).toBe('A & B C 1 < 2');
});

it('a shortened description ends at a word', () => {
  const text = plainDescription(`<p>${'word '.repeat(60)}</p>`);
  expect(text).toMatch(/word…$/);
  expect(text.length).toBeLessThanOrEqual(160);
  expect([...plainDescription('字'.repeat(300))]).toHaveLength(160);
});
