import { report, type Visit } from '../releases/health';

/** Share of documents that report web vitals. Visits and failures are not sampled: a canary is judged by fifty visits. */
const vitalsSampleRate = 0.25;

/** Reports web vitals for the visit at which the document was opened. */
export async function reportVitals(opened: Visit | null, random: () => number = Math.random): Promise<void> {
  if (!opened || random() >= vitalsSampleRate) return;
  const { onCLS, onINP, onLCP } = await import('web-vitals');
  const reportMetric = (metric: { name: string; value: number }) =>
    report(opened, 'vital', { metric: metric.name as 'LCP' | 'INP' | 'CLS', value: metric.value });
  onLCP(reportMetric);
  onINP(reportMetric);
  onCLS(reportMetric);
}
