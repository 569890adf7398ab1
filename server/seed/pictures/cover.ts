import { Canvas, type Tone } from './canvas';
import { palette } from './color';
import covers from './covers.json';
import { drawEmblem, isEmblem } from './emblems';
import * as landscapes from './landscapes';
import { sizeFor, writeLine } from './lettering';
import * as objects from './objects';

const scenes: Record<string, (c: Canvas, tone: Tone) => void> = { ...landscapes, ...objects };

interface Cover {
  /** What it shows: a scene, or a thing of emblems.ts. */
  scene: string;
  hue: number;
  light: number;
  tone: Tone;
  /** Where the name is: below, above, or in a column at the left with the Latin name below. */
  layout: 'band' | 'top' | 'side';
  panel: 'dark' | 'light' | 'accent';
  /** The name in few words, line by line. */
  zh: string[];
  en: string[];
}
const plans = covers as unknown as Record<string, Cover>;
export const coverKeys = Object.keys(plans);

const side = 320;
const margin = 14;

/** The cover of goods: a drawing, and on a panel the name in both languages, to be read at 64 px. */
export function drawCover(key: string): string {
  const cover = plans[key] as Cover;
  const c = new Canvas(key, palette(cover.hue, cover.light));
  const panels = {
    dark: { ground: c.p.ink, name: c.p.white, latin: c.p.accentSoft },
    light: { ground: c.p.white, name: c.p.ink, latin: c.p.accentInk },
    accent: { ground: c.p.accentInk, name: c.p.white, latin: c.p.accentPale },
  };
  const paint = panels[cover.panel];
  /** Moved so that its middle is the middle of what the panel leaves; a thing as large as that allows. */
  const scene = (x: number, y: number, size = 1) =>
    c.group(`translate(${x.toFixed(1)} ${y.toFixed(1)})`, () => {
      if (isEmblem(cover.scene)) drawEmblem(cover.scene, c, cover.tone, size);
      else scenes[cover.scene]?.(c, cover.tone);
    });

  if (cover.layout === 'side') drawSide();
  else {
    const many = cover.zh.length + cover.en.length > 2;
    const zh = fitLines(cover.zh, side - 2 * margin, cover.zh.length > 1 ? 54 : many ? 72 : 84);
    const en = fitLines(cover.en, side - 2 * margin, cover.en.length > 1 ? 42 : many ? 48 : 58);
    const height = zh.height + en.height + 2 * margin + 8;
    const above = cover.layout === 'top';
    const shift = height / 2;
    scene(0, above ? shift : -shift, Math.min(1, (side - height) / 215));
    const y = above ? 0 : side - height;
    c.rect(paint.ground, 0, y, side, height);
    c.rect(c.p.accent, 0, above ? height : y - 6, side, 6);
    zh.write(y + margin, paint.name);
    en.write(y + margin + zh.height + 8, paint.latin);
  }
  return c.toSvg();

  function drawSide(): void {
    const name = cover.zh.join('');
    const en = fitLines(cover.en, side - 2 * margin, 58);
    const foot = en.height + 2 * margin;
    const letters = [...name].filter((letter) => letter !== ' ');
    const size = Math.min(88, (side - foot - margin) / letters.length / 1.02);
    const column = size + 2 * margin;
    scene(column / 2, -foot / 2, Math.min(1, (side - column) / 215));
    c.rect(paint.ground, 0, 0, column, side).rect(paint.ground, 0, side - foot, side, foot);
    c.rect(c.p.accent, column, 0, 5, side - foot).rect(c.p.accent, column, side - foot - 5, side - column, 5);
    const gap = (side - foot - letters.length * size) / (letters.length + 1);
    letters.forEach((letter, index) => {
      const width = sizeFor(letter, size, size);
      writeLine(c, letter, margin + (size - width) / 2, gap + index * (size + gap) + size * 0.87, size, paint.name);
    });
    en.write(side - foot + margin, paint.latin);
  }

  /** All lines in one size, as large as the longest allows; a capital is 0.73 of the size high, a Chinese character 0.92. */
  function fitLines(lines: string[], width: number, most: number) {
    const size = Math.min(...lines.map((line) => sizeFor(line, width, most)));
    const rise = /[\u3400-\u9fff]/.test(lines.join('')) ? 0.94 : 0.76;
    const pitch = size * rise + 6;
    return {
      height: pitch * lines.length - 6,
      write: (top: number, color: string) => {
        lines.forEach((line, index) => {
          const baseline = top + index * pitch + size * (rise === 0.94 ? 0.86 : 0.745);
          writeLine(c, line, margin, baseline, size, color);
        });
      },
    };
  }
}
