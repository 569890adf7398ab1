import { type Metric, REFUSED } from './health-event';
import type { Samples, Selection } from './health-store';

/** Buckets grow by this factor, so a percentile is exact within 5 %. */
const GROWTH = 1.1;
const scaleOf = (metric: Metric) => (metric === 'CLS' ? 1000 : 1);

export const bucketOf = (metric: Metric, value: number): number =>
  Math.floor(Math.log(value * scaleOf(metric) + 1) / Math.log(GROWTH));

const middleOf = (metric: Metric, bucket: number): number => (GROWTH ** (bucket + 0.5) - 1) / scaleOf(metric);

/** "812 ms", "0.03" */
export const vitalText = (metric: Metric, value: number): string =>
  metric === 'CLS' ? value.toFixed(2) : `${value.toFixed(0)} ms`;

export type Histogram = Map<number, number>;

export interface Vitals {
  refused: number;
  metrics: Partial<Record<Metric, Histogram>>;
}

export function vitalsOf(samples: readonly Samples[], { name, version }: Pick<Selection, 'name' | 'version'>): Vitals {
  const vitals: Vitals = { refused: 0, metrics: {} };
  for (const row of samples) {
    if (row.name !== name || row.version !== version) continue;
    if (row.metric === REFUSED) vitals.refused += row.samples;
    else vitals.metrics[row.metric] = (vitals.metrics[row.metric] ?? new Map()).set(row.bucket, row.samples);
  }
  return vitals;
}

export const samplesOf = (histogram: Histogram): number =>
  [...histogram.values()].reduce((sum, count) => sum + count, 0);

/** The bucket of the 75th percentile, the percentile of Core Web Vitals. */
export function p75Bucket(histogram: Histogram): number | null {
  const rank = Math.ceil(samplesOf(histogram) * 0.75);
  let seen = 0;
  for (const [bucket, count] of [...histogram].sort(([left], [right]) => left - right)) {
    seen += count;
    if (seen >= rank) return bucket;
  }
  return null;
}

export function p75(metric: Metric, histogram: Histogram): number | null {
  const bucket = p75Bucket(histogram);
  return bucket === null ? null : middleOf(metric, bucket);
}

export function above(histogram: Histogram, bucket: number): number {
  return [...histogram].reduce((sum, [index, count]) => (index > bucket ? sum + count : sum), 0);
}
