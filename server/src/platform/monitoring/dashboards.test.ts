import fs from 'node:fs';
import path from 'node:path';
import { promote } from '@platform/releases';
import { publishSample } from '@platform/releases/testing';
import { parse } from 'yaml';
import { shopWith, storeWith } from '../../../test/support/release-store';
import { onOneDatabase } from '../../../test/support/test-app';
import { openTelemetry } from './tracing/open-telemetry';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: Record<string, string>;
}
interface Dashboard {
  panels: Array<{ id: number; targets?: Array<{ expr: string }> }>;
  annotations: { list: Array<{ expr: string }> };
}

const folder = path.join(__dirname, '../../../../deploy/monitoring');
const read = (file: string) => fs.readFileSync(path.join(folder, file), 'utf8');
const { groups } = parse(read('alerts.yml')) as { groups: Array<{ rules: Rule[] }> };
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read('grafana-dashboard.json')) as Dashboard;
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...dashboard.annotations.list.map(({ expr }) => expr),
];

const TARGET_LABELS = ['instance', 'job'];

function partsOf(expr: string) {
  const metrics = Array.from(
    expr.matchAll(/\b((?:shop|process)_\w+)(?:\{([^}]*)\})?/g),
    ([, name = '', matchers = '']) => ({
      name,
      labels: Array.from(matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g), ([, label = '']) => label),
    }),
  );
  const groupings = Array.from(expr.matchAll(/\b(?:by|on)\s*\(([^)]*)\)/g), ([, list = '']) => list.split(','));
  return { metrics, grouped: groupings.flat().map((label) => label.trim()) };
}

onOneDatabase('/metrics of a running shop', (testApp) => {
  const scraped = new Map<string, Set<string>>();
  beforeAll(async () => {
    const store = await storeWith([{ text: 'one' }]);
    await publishSample(store, { text: 'two' });
    await promote(store, { by: 'ann', name: 'catalog', canary: 'auto' });
    const webhooks = { urls: ['https://ops.example/hook'], secret: 'x'.repeat(32) };
    const url = 'http://127.0.0.1:9/v1/traces';
    const tracing = openTelemetry({ url, headers: {}, service: 'shop', share: 0, delayMs: 20 });
    const app = await shopWith({ ...testApp().context, tracing }, store, { render: true, webhooks });
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

  it('a running shop exports every metric and label that the alert rules and the dashboard query', () => {
    const parts = expressions.map(partsOf);
    const names = parts.flatMap(({ metrics }) => metrics.map(({ name }) => name));
    expect(names.length).toBeGreaterThan(50);
    expect(names.filter((name) => !scraped.has(name))).toEqual([]);
    const lacks = (name: string, label: string) => {
      const labels = scraped.get(name);
      return labels && labels.size > 0 && !labels.has(label) && !TARGET_LABELS.includes(label);
    };
    const missing = parts.flatMap(({ metrics, grouped }) =>
      metrics.flatMap(({ name, labels }) =>
        [...labels, ...grouped].filter((label) => lacks(name, label)).map((label) => `${name} has no ${label}`),
      ),
    );
    expect(missing).toEqual([]);
  });
});

it('alert rules use in their texts only labels that their expression keeps', () => {
  for (const { alert, expr, annotations } of rules) {
    const texts = Object.values(annotations).join(' ');
    const used = Array.from(texts.matchAll(/\$labels\.(\w+)/g), ([, label]) => label);
    const { grouped, metrics } = partsOf(expr);
    const isAggregated = /\b(?:sum|max|min)\b/.test(expr);
    const available = isAggregated ? grouped : [...metrics.flatMap(({ labels }) => labels), ...TARGET_LABELS];
    expect([alert, used.filter((label) => !available.includes(label as string))]).toEqual([alert, []]);
  }
});
