/** @jest-environment node */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const css = readFileSync(join(__dirname, 'tokens.css'), 'utf8');
const block = (selector: string) => {
  const start = css.indexOf(`${selector} {`);
  return css.slice(start, css.indexOf('\n}', start));
};
const colours = (text: string) =>
  Object.fromEntries([...text.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)].map((m) => [m[1], m[2]]));
const light = colours(block(':root'));
const themes: Record<string, Record<string, string>> = {
  light,
  dark: { ...light, ...colours(block('[data-theme="dark"]')) },
};
const gradients: Record<string, string[]> = {
  light:
    block(':root')
      .match(/--gradient:.*/)?.[0]
      .match(/#[0-9a-f]{6}/g) ?? [],
  dark:
    block('[data-theme="dark"]')
      .match(/--gradient:.*/)?.[0]
      .match(/#[0-9a-f]{6}/g) ?? [],
};

/** WCAG 2.2, relative luminance and contrast ratio. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

const grounds = ['bg', 'surface', 'surface-2'];
const text: Array<[string, string]> = [
  ...['ink', 'ink-2', 'ink-3', 'accent', 'danger'].flatMap((ink) =>
    grounds.map((ground): [string, string] => [ink, ground]),
  ),
  ['ink-2', 'surface-3'],
  ['ink-3', 'surface-3'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-strong'],
  ['on-accent-soft', 'accent-soft'],
  ['success', 'success-soft'],
  ['warning', 'warning-soft'],
  ['danger', 'danger-soft'],
  ['success', 'surface'],
  ['warning', 'surface'],
  ['on-danger', 'danger'],
  ['on-toast', 'toast'],
];

describe.each(['light', 'dark'])('%s theme', (theme) => {
  it.each(text)('keeps %s on %s at 4.5:1 or more', (ink, ground) => {
    const [over, under] = [themes[theme]?.[ink], themes[theme]?.[ground]];
    expect(contrast(over ?? '', under ?? '')).toBeGreaterThanOrEqual(4.5);
  });

  it('keeps outlines of controls at 3:1 or more', () => {
    for (const ground of grounds) {
      expect(contrast(themes[theme]?.['line-strong'] ?? '', themes[theme]?.[ground] ?? '')).toBeGreaterThanOrEqual(3);
    }
  });

  it('keeps text readable over every part of the hero gradient', () => {
    expect(gradients[theme]).toHaveLength(3);
    for (const stop of gradients[theme] ?? []) {
      expect(contrast(themes[theme]?.['on-gradient'] ?? '', stop)).toBeGreaterThanOrEqual(4.5);
    }
  });
});
