/** Colours come from OKLCH, so that equal lightness looks equal in every hue and the covers stay one family. */

const gamma = (x: number) => (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055);

function toRgb(lightness: number, chroma: number, hue: number): [number, number, number] {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    gamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** Hex of an OKLCH colour (hue in degrees); chroma gives way until the colour fits sRGB. */
export function oklch(lightness: number, chroma: number, hue: number): string {
  let c = chroma;
  let rgb = toRgb(lightness, c, hue);
  while (c > 0 && rgb.some((x) => x < -0.002 || x > 1.002)) {
    c -= 0.005;
    rgb = toRgb(lightness, Math.max(c, 0), hue);
  }
  const hex = (x: number) =>
    Math.round(Math.min(1, Math.max(0, x)) * 255)
      .toString(16)
      .padStart(2, '0');
  return `#${rgb.map(hex).join('')}`;
}

/** One hue from night to paper, and a second hue for the light that falls on it. */
export function palette(hue: number, accentHue: number) {
  return {
    ink: oklch(0.17, 0.05, hue),
    deep: oklch(0.24, 0.09, hue),
    night: oklch(0.32, 0.12, hue),
    dusk: oklch(0.42, 0.15, hue),
    mid: oklch(0.53, 0.17, hue),
    base: oklch(0.65, 0.16, hue),
    soft: oklch(0.78, 0.11, hue),
    pale: oklch(0.9, 0.06, hue),
    white: oklch(0.98, 0.012, hue),
    accentInk: oklch(0.4, 0.13, accentHue),
    accentDeep: oklch(0.55, 0.18, accentHue),
    accent: oklch(0.72, 0.17, accentHue),
    accentSoft: oklch(0.84, 0.12, accentHue),
    accentPale: oklch(0.94, 0.06, accentHue),
  };
}
export type Palette = ReturnType<typeof palette>;
