import type { Metric } from '../../health/health-event';
import { element, svgElement } from './dom';

/** Good up to the first, poor from the second (Core Web Vitals); the last is the end of the scale. */
const SCALES: Record<Metric, [good: number, poor: number, end: number]> = {
  LCP: [2500, 4000, 6000],
  INP: [200, 500, 800],
  CLS: [0.1, 0.25, 0.4],
};

/** A bar for each minute; the dashed line is the bound from which a release counts as failing. */
export function shareChart(series: Array<number | null>, bound: number, label: string): SVGElement {
  const top = Math.max(2 * bound, ...series.map((share) => share ?? 0));
  const bars = series.map((share, index) => {
    const x = index * 6 + 1;
    if (share === null) return svgElement('rect', { class: 'none', x, y: 37, width: 4, height: 1 });
    const height = Math.max(1, (share / top) * 34);
    return svgElement('rect', { class: share > bound ? 'over' : 'under', x, y: 38 - height, width: 4, height, rx: 1 });
  });
  const y = 38 - (bound / top) * 34;
  return svgElement(
    'svg',
    { viewBox: '0 0 180 40', class: 'chart', role: 'img', 'aria-label': label },
    ...bars,
    svgElement('line', { class: 'bound', x1: 0, x2: 180, y1: y, y2: y }),
  );
}

function valueText(metric: Metric, value: number): string {
  if (metric === 'CLS') return value.toFixed(2);
  return value >= 1000 ? `${(value / 1000).toFixed(1)} s` : `${Math.round(value)} ms`;
}

/** One metric on its scale, with good, fair and poor as zones and the 75th percentile as the mark. */
export function vitalScale(metric: Metric, value: number): HTMLElement {
  const [good, poor, end] = SCALES[metric];
  const rating = value <= good ? 'good' : value < poor ? 'fair' : 'poor';
  const shown = valueText(metric, value);
  const at = (one: number) => (Math.min(one, end) / end) * 96;
  const zone = (kind: string, x: number, width: number) =>
    svgElement('rect', { class: `zone ${kind}`, x, y: 2, width, height: 4 });
  return element(
    'div',
    { class: 'vital' },
    element('span', {}, `${metric} `, element('b', { class: rating }, `${shown} ${rating}`)),
    svgElement(
      'svg',
      { viewBox: '0 0 100 8', class: 'scale', role: 'img', 'aria-label': `${metric} ${shown}, ${rating}` },
      zone('good', 0, at(good) + 2),
      zone('fair', at(good) + 2, at(poor) - at(good)),
      zone('poor', at(poor) + 2, 98 - at(poor)),
      svgElement('rect', { class: 'mark', x: at(value) + 1, y: 0, width: 2, height: 8 }),
    ),
  );
}
