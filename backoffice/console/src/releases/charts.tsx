import type { ReleaseHealth } from '@shop/backoffice/wire';
import { useTexts } from './texts';

type Metric = keyof ReleaseHealth['vitals'];
/** Good up to the first, poor from the second (Core Web Vitals, and of long visits half a second and two in a minute); the last is the end of the scale. */
const SCALES: Record<Metric, [good: number, poor: number, end: number]> = {
  LCP: [2500, 4000, 6000],
  INP: [200, 500, 800],
  CLS: [0.1, 0.25, 0.4],
  heap: [100, 250, 400],
  'long-tasks': [500, 2000, 4000],
};

/** A bar for each minute; the dashed line is the bound from which a release counts as failing. */
export function ShareChart({ series, bound, label }: { series: Array<number | null>; bound: number; label: string }) {
  const top = Math.max(2 * bound, ...series.map((share) => share ?? 0));
  const y = 38 - (bound / top) * 34;
  return (
    <svg viewBox="0 0 180 40" className="share-chart" role="img" aria-label={label}>
      {series.map((share, index) => {
        const height = share === null ? 1 : Math.max(1, (share / top) * 34);
        const kind = share === null ? 'hint' : share > bound ? 'is-poor' : 'is-good';
        return <rect key={index} className={kind} x={index * 6 + 1} y={38 - height} width={4} height={height} />;
      })}
      <line x1={0} x2={180} y1={y} y2={y} />
    </svg>
  );
}

/** A bar for each ten minutes, against the highest of them or of another series. */
export function StepChart({
  series,
  against = [],
  label,
}: {
  series: Array<number | null>;
  against?: Array<number | null>;
  label: string;
}) {
  const top = Math.max(0.001, ...[...series, ...against].map((share) => share ?? 0));
  return (
    <svg viewBox="0 0 108 20" className="step-chart" role="img" aria-label={label}>
      {series.map((share, index) => {
        const height = share === null ? 1 : Math.max(1, (share / top) * 18);
        const kind = share === null ? 'hint' : 'is-good';
        return <rect key={index} className={kind} x={index * 6 + 1} y={19 - height} width={4} height={height} />;
      })}
    </svg>
  );
}

function valueText(metric: Metric, value: number): string {
  if (metric === 'CLS') return value.toFixed(2);
  if (metric === 'heap') return `${Math.round(value)} MB`;
  return value >= 1000 ? `${(value / 1000).toFixed(1)} s` : `${Math.round(value)} ms`;
}

/** One metric on its scale, with good, fair and poor as zones and the 75th percentile as the mark. */
export function VitalScale({ metric, value }: { metric: Metric; value: number }) {
  const { t } = useTexts();
  const [good, poor, end] = SCALES[metric];
  const rating = value <= good ? 'good' : value < poor ? 'fair' : 'poor';
  const at = (one: number) => (Math.min(one, end) / end) * 98;
  const zones = [
    ['good', 0, at(good)],
    ['fair', at(good), at(poor) - at(good)],
    ['poor', at(poor), 98 - at(poor)],
  ] as const;
  const text = t('vital', {
    metric: t(`metric.${metric}`),
    value: valueText(metric, value),
    rating: t(`rating.${rating}`),
  });
  return (
    <div className="vital">
      <span className={`is-${rating}`}>{text}</span>
      <svg viewBox="0 0 100 8" role="img" aria-label={text}>
        {zones.map(([kind, x, width]) => (
          <rect key={kind} className={`is-${kind}`} x={x} y={2} width={width} height={4} />
        ))}
        <rect x={at(value)} y={0} width={2} height={8} />
      </svg>
    </div>
  );
}
