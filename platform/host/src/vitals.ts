import { onCLS, onINP, onLCP } from 'web-vitals';
import { report, type Visit } from './health';

export function reportVitals(opened: Visit): void {
  const reportMetric = (metric: { name: string; value: number }) =>
    report(opened, 'vital', { metric: metric.name as 'LCP' | 'INP' | 'CLS', value: metric.value });
  onLCP(reportMetric);
  onINP(reportMetric);
  onCLS(reportMetric);
}
