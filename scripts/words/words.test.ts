import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { faultsOf } from './check-code.mjs';
import { brokenLinks, proseFaults } from './check-documents.mjs';

const faults = (text: string) => faultsOf('a.ts', text);

describe('check-code', () => {
  it('names the line, the refused word and its replacement in a comment', () => {
    expect(faults('const a = 1;\n// Whoever asks.\nf(a); /* Is told\n * anew. */')).toEqual([
      'a.ts:2: "Whoever": use anyone who, the user who',
      'a.ts:3: "told": use notify, report, say',
      'a.ts:4: "anew": use again',
    ]);
  });

  it.each([
    ['a comment of several lines', 'a.ts', '/**\n * It is taken\n * over.\n */'],
    ['a title of a test', 'a.ts', "it('tells the buyer twice', f);"],
    ['a template string', 'a.ts', `print(\`the release \${name} is taken back by ops\`);`],
    ['a style', 'a.css', '/* Drawn once. */\na { color: red }'],
    ['SQL', 'a.sql', 'select 1; -- whatever it is'],
  ])('finds a refused word in %s', (_, file, text) => expect(faultsOf(file, text)).toHaveLength(1));

  it('finds refused words in names of any spelling', () => {
    const refused = ['toldUntil', 'isDrawn', 'FOR_EVERYBODY', 'alsoUntold', 'everybodys'];
    const fine = ['withdrawn', 'OrderNoBody', 'rendered', 'drawer', 'told_at'];
    const found = faults([...refused, ...fine].map((name) => `f(${name});`).join('\n'));
    expect(found).toEqual(refused.map((name, index) => `a.ts:${index + 1}: "${name}": use another name`));
  });

  it('accepts pressed keys, names in backticks, and short strings', () => {
    expect(faults('// The user presses Enter: `told` is a column.\nf(a.person, "nobody");')).toEqual([]);
  });
});

describe('check-documents', () => {
  it('names the line of each refused word, long sentence and long line', () => {
    const long = 'word '.repeat(31).trim();
    const text = `# Title\n\nA vote.\n${long}.\n\n| a |\n| - |\n| told |\n\n${'x'.repeat(161)}\n`;
    expect(proseFaults('a.md', text)).toEqual([
      'a.md:3: "vote": use sample',
      'a.md:4: 31 words in a sentence: at most 30',
      'a.md:8: "told": use notify, report, say',
      'a.md:10: 161 characters in a line: at most 160',
    ]);
  });

  it('finds links to files and headings that do not exist', () => {
    const text =
      '[a](b.md#a-heading) [b](b.md#none) [c](none.md) [d](https://a.example) [e](#here) ![f][f]\n\n[f]: g.png';
    const folder = mkdtempSync(path.join(tmpdir(), 'links-'));
    writeFileSync(path.join(folder, 'a.md'), text);
    writeFileSync(path.join(folder, 'b.md'), '# A heading\n');
    expect(brokenLinks('a.md', text, folder)).toEqual(['b.md#none', 'none.md', '#here', 'g.png']);
    expect(brokenLinks('a.ts', `// docs/${'none'}.md says so`, folder)).toHaveLength(1);
  });
});
