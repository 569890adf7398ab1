import type { Canvas } from './canvas';
import glyphs from './glyphs.json';

type Glyph = [advance: number, outline: string];
const known = glyphs as unknown as Record<string, Glyph>;

function glyphOf(character: string): Glyph {
  const glyph = known[character];
  if (!glyph) throw new Error(`glyphs.json has no outline of "${character}": see take-glyphs.cjs`);
  return glyph;
}

/** In thousandths of the size. */
const widthOf = (line: string) => [...line].reduce((sum, character) => sum + glyphOf(character)[0], 0);

/** The largest size at which the line is not wider, and not larger than `most`. */
export const sizeFor = (line: string, width: number, most: number): number =>
  Math.min(most, (width / widthOf(line)) * 1000);

/** One line of text in outlines, from `x` on the baseline `y`. */
export function writeLine(c: Canvas, line: string, x: number, y: number, size: number, paint: string): void {
  let at = 0;
  const scale = size / 1000;
  c.group(`translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(4)})`, () => {
    for (const character of line) {
      const [advance, outline] = glyphOf(character);
      if (outline) c.path(outline, paint, `transform="translate(${at} 0)"`);
      at += advance;
    }
  });
}
