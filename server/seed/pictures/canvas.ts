import type { Palette } from './color';

/** A reproducible generator of numbers in [0, 1), so that the same name always draws the same picture. */
function randomFrom(seed: string): () => number {
  let state = 2166136261;
  for (const char of seed) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 16777619) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export type Tone = 'night' | 'dusk' | 'day';
type Stops = Array<[offset: number, color: string, opacity?: number]>;

/** An SVG under construction: parts are appended from back to front, gradients are named as they are used. */
export class Canvas {
  private readonly body: string[] = [];
  private readonly defs: string[] = [];
  private readonly random: () => number;
  readonly width: number;
  readonly height: number;
  readonly p: Palette;

  constructor(seed: string, p: Palette, width = 320, height = 320) {
    this.random = randomFrom(seed);
    this.p = p;
    this.width = width;
    this.height = height;
  }

  between(low: number, high: number): number {
    return low + this.random() * (high - low);
  }

  chance(share: number): boolean {
    return this.random() < share;
  }

  add(...parts: string[]): this {
    this.body.push(...parts);
    return this;
  }

  private stops(stops: Stops): string {
    return stops
      .map(([at, color, opacity = 1]) => `<stop offset="${at}" stop-color="${color}" stop-opacity="${opacity}"/>`)
      .join('');
  }

  /** A linear gradient over the shape's own box; answers the paint. Angle 0 runs down, 90 runs to the right. */
  linear(stops: Stops, angle = 0): string {
    const id = `g${this.defs.length}`;
    const radians = (angle * Math.PI) / 180;
    const [dx, dy] = [Math.sin(radians) / 2, Math.cos(radians) / 2];
    const n = (x: number) => x.toFixed(3);
    this.defs.push(
      `<linearGradient id="${id}" x1="${n(0.5 - dx)}" y1="${n(0.5 - dy)}" x2="${n(0.5 + dx)}" y2="${n(0.5 + dy)}">${this.stops(stops)}</linearGradient>`,
    );
    return `url(#${id})`;
  }

  radial(stops: Stops, cx = 0.5, cy = 0.5): string {
    const id = `g${this.defs.length}`;
    this.defs.push(`<radialGradient id="${id}" cx="${cx}" cy="${cy}" r="0.5">${this.stops(stops)}</radialGradient>`);
    return `url(#${id})`;
  }

  clip(shape: string): string {
    const id = `g${this.defs.length}`;
    this.defs.push(`<clipPath id="${id}">${shape}</clipPath>`);
    return `url(#${id})`;
  }

  rect(fill: string, x = 0, y = 0, width = this.width, height = this.height, radius = 0, extra = ''): this {
    return this.add(
      `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}" ${extra}/>`,
    );
  }

  circle(x: number, y: number, r: number, fill: string, extra = ''): this {
    return this.add(`<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}" ${extra}/>`);
  }

  ring(x: number, y: number, r: number, stroke: string, width: number, opacity = 1): this {
    return this.circle(x, y, r, 'none', `stroke="${stroke}" stroke-width="${width}" opacity="${opacity}"`);
  }

  shape(points: number[][], fill: string, extra = ''): this {
    return this.add(
      `<polygon points="${points.map((xy) => xy.map((v) => v.toFixed(1)).join(',')).join(' ')}" fill="${fill}" ${extra}/>`,
    );
  }

  path(d: string, fill: string, extra = ''): this {
    return this.add(`<path d="${d}" fill="${fill}" ${extra}/>`);
  }

  line(d: string, stroke: string, width: number, extra = ''): this {
    return this.path(
      d,
      'none',
      `stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" ${extra}`,
    );
  }

  group(transform: string, draw: () => void, extra = ''): this {
    this.add(`<g transform="${transform}" ${extra}>`);
    draw();
    return this.add('</g>');
  }

  glow(x: number, y: number, r: number, color: string, opacity = 0.8): this {
    return this.circle(
      x,
      y,
      r,
      this.radial([
        [0, color, opacity],
        [0.45, color, opacity * 0.35],
        [1, color, 0],
      ]),
    );
  }

  toSvg(): string {
    const { width, height } = this;
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><defs>${this.defs.join('')}</defs>${this.body.join('')}</svg>`;
  }
}
