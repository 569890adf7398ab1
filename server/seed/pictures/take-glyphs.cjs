/**
 * Writes glyphs.json, the outlines of all characters on the covers, so that drawing them needs no font:
 * `npm install --prefix /tmp/font fontkit@2.0.4 && node seed/pictures/take-glyphs.cjs /tmp/font NotoSansCJK-Bold.ttc NotoSansCJKsc-Bold`
 */
const fs = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');

const [modules, file, name] = process.argv.slice(2);
const fontkit = createRequire(path.resolve(modules, 'package.json'))('fontkit');
const font = fontkit.openSync(file, name);
const covers = JSON.parse(fs.readFileSync(path.join(__dirname, 'covers.json'), 'utf8'));
const characters = new Set(Object.values(covers).flatMap(({ zh, en }) => [...zh, ...en].flatMap((line) => [...line])));
const scale = 1000 / font.unitsPerEm;
const glyphs = {};
for (const character of [...characters].sort()) {
  const glyph = font.glyphForCodePoint(character.codePointAt(0));
  if (glyph.id === 0) throw new Error(`the font has no "${character}"`);
  // One unit is a thousandth of the size; y runs down, as in SVG.
  const outline = glyph.path
    .scale(scale, -scale)
    .toSVG()
    .replace(/-?\d+\.\d+/g, (number) => String(Math.round(Number(number))));
  glyphs[character] = [Math.round(glyph.advanceWidth * scale), outline];
}
fs.writeFileSync(
  path.join(__dirname, 'glyphs.json'),
  `${JSON.stringify(glyphs, null, 0).replaceAll('],"', '],\n"')}\n`,
);
