/** The files of deploy/monitoring ask for what /metrics of a running shop has. */
import fs from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openStore, promote } from '@platform/releases';
import { publishSample } from '@platform/releases/testing';
import { parser } from '@prometheus-io/lezer-promql';
import { backOfficeWithReleases } from '@shop/backoffice/releases';
import { parse } from 'yaml';
import { onOneDatabase } from '../../../test/support/test-app';
import { buildApp } from '../../app';
import { openTelemetry } from './tracing/open-telemetry';

interface Rule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: Record<string, string>;
}
interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: Array<{ refId: string; expr: string; legendFormat: string }>;
}
interface Dashboard {
  panels: Panel[];
  templating: { list: Array<{ name: string; query: string | { query: string } }> };
  annotations: { list: Array<{ expr: string }> };
}

const folder = path.join(__dirname, '../../../../deploy/monitoring');
const read = (file: string) => fs.readFileSync(path.join(folder, file), 'utf8');
const groups = (parse(read('alerts.yml')) as { groups: Array<{ name: string; rules: Rule[] }> }).groups;
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read('grafana-dashboard.json')) as Dashboard;
const panels = dashboard.panels.filter(({ type }) => type !== 'row');

/** Grafana fills these in. */
const filled = (expr: string) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$name', '.*');
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...dashboard.annotations.list.map(({ expr }) => expr),
].map(filled);

/** Of a PromQL expression: its metrics with the labels that it matches, and the labels by which it groups. */
function partsOf(expr: string) {
  const metrics: Array<{ name: string; labels: string[] }> = [];
  const grouped: string[] = [];
  const faults: string[] = [];
  parser.parse(expr).iterate({
    enter: ({ type, from, to, node }) => {
      const text = expr.slice(from, to);
      if (type.isError) faults.push(`${expr} at ${from}`);
      if (type.name === 'VectorSelector') metrics.push({ name: /^[\w:]*/.exec(text)?.[0] ?? '', labels: [] });
      if (type.name !== 'LabelName') return;
      if (node.parent?.type.name === 'GroupingLabels') grouped.push(text);
      else metrics.at(-1)?.labels.push(text);
    },
  });
  return { metrics, grouped, faults };
}

/** Prometheus makes these itself. */
const OF_PROMETHEUS = { metrics: ['up'], labels: ['instance', 'job'] };

onOneDatabase('/metrics of a running shop', (testApp) => {
  /** Labels by metric. */
  const scraped = new Map<string, Set<string>>();
  beforeAll(async () => {
    const store = openStore({ place: await mkdtemp(path.join(tmpdir(), 'shop-metrics-')) });
    await publishSample(store, { text: 'one' });
    await promote(store, { by: 'ann', name: 'catalog' });
    await publishSample(store, { text: 'two' });
    await promote(store, { by: 'ann', name: 'catalog', canary: 'auto' });
    const { context } = testApp();
    const webhooks = { urls: ['https://ops.example/hook'], secret: 'x'.repeat(32) };
    const config = { ...context.config, render: true, webhooks };
    const tracing = openTelemetry({
      url: 'http://127.0.0.1:9/v1/traces',
      headers: {},
      service: 'shop',
      share: 0,
      delayMs: 20,
    });
    const { plugins } = backOfficeWithReleases({ store, watchEvery: 0 });
    const app = await buildApp({ ...context, config, tracing, plugins });
    await app.inject('/api/front/app/config');
    const { body } = await app.inject('/metrics');
    await app.close();
    for (const line of body.split('\n')) {
      const [, declared] = /^# TYPE (\S+)/.exec(line) ?? [];
      const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
      if (declared) scraped.set(declared, new Set());
      if (name) scraped.set(name, new Set([...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label)));
    }
  });

  it('has every metric and every label that alert rules and dashboard ask for', () => {
    const asked = expressions.map(partsOf);
    expect(asked.flatMap(({ faults }) => faults)).toEqual([]);
    const metrics = asked.flatMap((parts) => parts.metrics).filter(({ name }) => !OF_PROMETHEUS.metrics.includes(name));
    expect(metrics.length).toBeGreaterThan(50);
    expect(metrics.map(({ name }) => name).filter((name) => !scraped.has(name))).toEqual([]);
    // What has no sample in this shop shows no label.
    const lacks = (name: string, label: string) => {
      const known = scraped.get(name);
      return known && known.size > 0 && !known.has(label) && !OF_PROMETHEUS.labels.includes(label);
    };
    const missing = asked.flatMap(({ metrics, grouped }) =>
      metrics.flatMap(({ name, labels }) =>
        [...labels, ...grouped].filter((label) => lacks(name, label)).map((label) => `${name} has no ${label}`),
      ),
    );
    expect(missing).toEqual([]);
  });

  it('has series of the release with its canary', () => {
    expect([...(scraped.get('shop_release_visits_total') ?? [])]).toEqual(['name', 'version', 'role']);
    expect([...(scraped.get('shop_release_canary_next_percent') ?? [])]).toEqual(['name', 'version']);
    expect([...(scraped.get('shop_webhook_failing_messages') ?? [])]).toEqual(['webhook']);
  });
});

it('alert rules have names of their own, a severity, a text, and labels in it that their expression leaves', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { alert, expr, labels, annotations, for: waits = '1m' } of rules) {
    expect(alert).toMatch(/^[A-Z]\w+$/);
    expect(['page', 'ticket']).toContain(labels.severity);
    expect(annotations.summary).toMatch(/\S/);
    expect(waits).toMatch(/^\d+[smh]$/);
    const { grouped, metrics } = partsOf(expr);
    const used = [
      ...Object.values(annotations)
        .join(' ')
        .matchAll(/\$labels\.(\w+)/g),
    ].map(([, label]) => label);
    const isAggregated = /\b(?:sum|max|min)\b/.test(expr);
    const left = isAggregated ? grouped : [...metrics.flatMap((one) => one.labels), ...OF_PROMETHEUS.labels];
    expect(used.filter((label) => !left.includes(label as string))).toEqual([]);
  }
});

it('the dashboard can be imported: its panels have numbers and places of their own, and it asks for its data source', () => {
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)} ${y + Math.floor(index / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(Math.max(...dashboard.panels.map(({ gridPos: { x, w } }) => x + w))).toBeLessThanOrEqual(24);
  for (const { title, targets = [] } of panels) {
    expect(title).toMatch(/\S/);
    expect(targets.length).toBeGreaterThan(0);
  }
  const variables = dashboard.templating.list.map(({ name }) => name);
  const used = [...JSON.stringify(dashboard).matchAll(/\$\{?([a-z]\w*)/g)].map(([, name = '']) => name);
  expect(used.filter((name) => !variables.includes(name))).toEqual([]);
});
