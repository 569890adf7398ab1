/** The README's chart of `bench:load`: LCP of each composition, page by page, and five figures to go with it. */
interface Row {
  route: string;
  variant: string;
  figures: Record<'lcpMs', { median: number; low: number; high: number }>;
  ratios: Partial<
    Record<'lcpMs' | 'interactiveMs' | 'firstPaintMs' | 'bytesUntilInteractive' | 'criticalRequests', number>
  >;
}

const variants: Record<string, [label: string, color: string]> = {
  spa: ['one SPA', '#8a87a3'],
  composed: ['this shop', '#5b3fd6'],
};
const left = 80;
const width = 800;
const barHeight = 14;
const groupGap = 12;
const top = 56;

/** An SVG: one group of bars a page, medians of LCP in milliseconds, quartiles as lines. */
export function loadChart(rows: readonly Row[]): string {
  const names = Object.keys(variants).filter((name) => rows.some(({ variant }) => variant === name));
  const routes = [...new Set(rows.map(({ route }) => route))];
  const scaleMs = Math.ceil(Math.max(...rows.map(({ figures }) => figures.lcpMs.high)) / 500) * 500;
  const x = (milliseconds: number) => left + (milliseconds / scaleMs) * (width - left - 70);
  const groupHeight = names.length * barHeight + groupGap;
  const bottom = top + routes.length * groupHeight;

  const groups = routes.flatMap((route, group) => {
    const y = top + group * groupHeight;
    const bars = names.flatMap((variant, index) => {
      const row = rows.find((one) => one.route === route && one.variant === variant);
      return row ? bar(row, y + index * barHeight) : [];
    });
    return [text(left - 10, y + (names.length * barHeight) / 2 + 4, route, 'end'), ...bars];
  });

  function bar({ variant, figures: { lcpMs } }: Row, y: number): string[] {
    const middle = y + barHeight / 2 - 1;
    return [
      `<rect x="${left}" y="${y}" width="${round(x(lcpMs.median) - left)}" height="${barHeight - 2}" fill="${variants[variant]?.[1]}"/>`,
      `<path d="M${round(x(lcpMs.low))} ${middle}H${round(x(lcpMs.high))}" stroke="#16132b" stroke-width="2"/>`,
      text(x(lcpMs.high) + 6, middle + 4, `${Math.round(lcpMs.median)} ms`, 'start'),
    ];
  }

  const seconds = Array.from({ length: Math.floor(scaleMs / 1000) + 1 }, (_, second) => second);
  const grid = seconds.map(
    (second) =>
      `<path d="M${round(x(second * 1000))} ${top - 4}V${bottom}" stroke="#e7e5f0"/>${text(x(second * 1000), bottom + 14, `${second} s`, 'middle')}`,
  );
  const legend = names.map((name, index) => {
    const at = left + index * 170;
    const [label, color] = variants[name] ?? ['', ''];
    return `<rect x="${at}" y="30" width="12" height="12" fill="${color}"/>${text(at + 18, 40, label, 'start')}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${bottom + 24}" font-family="system-ui,sans-serif" font-size="11" role="img" aria-label="LCP of cold loads on a slow line: medians with quartiles">
<rect width="100%" height="100%" fill="#fff"/>
${text(left, 18, 'LCP of a cold load: 150 ms, 1.6 Mbit/s, CPU slowed 4 times. Medians, lines are quartiles. Shorter is better.', 'start')}
${[...legend, ...grid, ...groups].join('\n')}
</svg>
`;
}

const summary = [
  ['lcpMs', 'LCP'],
  ['firstPaintMs', 'first paint'],
  ['interactiveMs', 'interactive'],
  ['bytesUntilInteractive', 'bytes'],
  ['criticalRequests', 'requests in a chain'],
] as const;

/** Markdown: five ratios of this shop to one SPA of the same source, lowest and highest of the pages. */
export function loadSummary(rows: readonly Row[]): string {
  const composed = rows.filter(({ variant }) => variant === 'composed');
  const range = (measure: (typeof summary)[number][0]) => {
    const values = composed.flatMap(({ ratios }) => ratios[measure] ?? []);
    return `${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)}`;
  };
  return `| to one SPA = 1 | ${summary.map(([, label]) => label).join(' | ')} |
| --- | ${summary.map(() => '---').join(' | ')} |
| this shop, ${composed.length} pages | ${summary.map(([measure]) => range(measure)).join(' | ')} |`;
}

const round = (value: number) => Math.round(value * 10) / 10;
const text = (x: number, y: number, content: string, anchor: string) =>
  `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" fill="#16132b">${content}</text>`;
