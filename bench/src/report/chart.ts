/** The chart of bench:load: largest paint and interactivity of each composition, page by page, with quartiles. */
interface Bar {
  route: string;
  variant: string;
  figures: Record<'lcpMs' | 'interactiveMs', { median: number; low: number; high: number }>;
}

const colours: Record<string, [name: string, colour: string]> = {
  spa: ['one SPA', '#8a87a3'],
  composed: ['this composition', '#5b3fd6'],
  defaults: ['default Module Federation', '#c2410c'],
  importmap: ['import map, native modules', '#0e7490'],
};
const left = 150;
const width = 900;
const barHeight = 12;
const rowGap = 18;

export function loadChart(rows: readonly Bar[]): string {
  const variants = Object.keys(colours).filter((name) => rows.some(({ variant }) => variant === name));
  const routes = [...new Set(rows.map(({ route }) => route))];
  const measures = [
    ['lcpMs', 'largest paint'],
    ['interactiveMs', 'interactive'],
  ] as const;
  const highest = Math.max(...rows.flatMap(({ figures }) => measures.map(([measure]) => figures[measure].high)));
  const full = Math.ceil(highest / 500) * 500;
  const x = (milliseconds: number) => left + (milliseconds / full) * (width - left - 60);
  const parts: string[] = [];
  let y = 64;
  for (const route of routes) {
    for (const [measure, title] of measures) {
      const height = variants.length * barHeight;
      parts.push(text(left - 10, y + height / 2 + 4, `${route} ${title}`, 'end'));
      for (const variant of variants) {
        const row = rows.find((one) => one.route === route && one.variant === variant);
        if (row) {
          const { median, low, high } = row.figures[measure];
          parts.push(
            `<rect x="${left}" y="${y}" width="${round(x(median) - left)}" height="${barHeight - 2}" fill="${colours[variant]?.[1]}"/>`,
            `<path d="M${round(x(low))} ${y + 5}H${round(x(high))}" stroke="#16132b" stroke-width="2"/>`,
            text(x(high) + 6, y + 9, `${Math.round(median)} ms`, 'start'),
          );
        }
        y += barHeight;
      }
      y += rowGap / 2;
    }
    y += rowGap / 2;
  }
  const grid = Array.from({ length: full / 500 + 1 }, (_, index) => index * 500).map(
    (at) =>
      `<path d="M${round(x(at))} 52V${y}" stroke="#e7e5f0"/>${text(x(at), y + 14, at === 0 ? '0' : `${at / 1000} s`, 'middle')}`,
  );
  const legend = variants.map((variant, index) => {
    const at = left + index * 185;
    const [name, colour] = colours[variant] ?? ['', ''];
    return `<rect x="${at}" y="30" width="12" height="12" fill="${colour}"/>${text(at + 18, 40, name, 'start')}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y + 24}" font-family="system-ui,sans-serif" font-size="11" role="img" aria-label="Cold loads behind a slow line: medians with quartiles">
<rect width="100%" height="100%" fill="#fff"/>
${text(left, 18, 'Cold loads: 150 ms, 1.6 Mbit/s, processor slowed four times. Medians; lines are quartiles. Shorter is better.', 'start')}
${[...legend, ...grid, ...parts].join('\n')}
</svg>
`;
}

const round = (value: number) => Math.round(value * 10) / 10;
const text = (x: number, y: number, content: string, anchor: string) =>
  `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" fill="#16132b">${content}</text>`;
