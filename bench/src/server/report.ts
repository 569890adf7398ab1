import type { Mixed } from './mixed';
import type { RenderResults } from './render';
import type { ThroughputRow } from './throughput';

export interface ServerResults {
  machine?: { cpus: number; node: string; postgres: string; date: string };
  throughput?: ThroughputRow[];
  mixed?: Mixed;
  render?: RenderResults;
}

const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
const whole = (value: number) => Math.round(value).toLocaleString('en');
const ratio = (value: number) => value.toFixed(2);
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

export function reportOf({ machine, throughput, mixed, render }: ServerResults): string {
  const parts: string[] = [];
  if (machine) parts.push(`${machine.cpus} cores, Node ${machine.node}, ${machine.postgres}; ${machine.date}.`);
  if (throughput) parts.push(throughputTable(throughput));
  if (mixed) {
    const { asked, perSecond, p50, p99, p999, errors, memory } = mixed;
    parts.push(
      '**A mix of calls at a fixed pace** on PostgreSQL, each timed from the moment at which it was due.',
      table(
        ['asked/s', 'answered/s', 'p50 ms', 'p99 ms', 'p99.9 ms', 'errors', 'memory before', 'after'],
        [
          [
            ...[whole(asked), whole(perSecond), p50.toFixed(1), p99.toFixed(1), p999.toFixed(1), String(errors)],
            ...[megabytes(memory.before), megabytes(memory.after)],
          ],
        ],
      ),
    );
  }
  if (render) parts.push(renderTables(render));
  return parts.join('\n\n');
}

function renderTables({ uncached, renderer, personal, fromMemory }: RenderResults): string {
  return [
    `**Rendered documents** on PGlite, from the request to the last byte, by ${whole(uncached.documents)} different addresses one after the other. The rendering took ${renderer.meanMs.toFixed(1)} ms of it on average; ${whole(renderer.failed)} pages were not rendered.`,
    `p50 ${uncached.p50.toFixed(1)} ms (15 asked), p99 ${uncached.p99.toFixed(1)} ms (60 asked).`,
    ...(personal ? [personalLine(personal)] : []),
    `From memory: ${whole(fromMemory.rate.perSecond)} documents a second with ${fromMemory.connections} connections (p99 ${fromMemory.rate.p99.toFixed(0)} ms), to hello **${ratio(fromMemory.toHello)}** (0.4 asked).`,
  ].join('\n\n');
}

const personalLine = (personal: NonNullable<RenderResults['personal']>): string =>
  `**A person's documents**, ${whole(personal.documents)} of ${whole(personal.sessions)} sessions that have their isolates: p50 ${personal.warm.p50.toFixed(1)} ms (40 asked), p99 ${personal.warm.p99.toFixed(1)} ms (120 asked); the first of each remote in a session: p50 ${personal.first.p50.toFixed(1)} ms, p99 ${personal.first.p99.toFixed(1)} ms. ${whole(personal.notRendered)} were not rendered.`;

const throughputTable = (rows: readonly ThroughputRow[]): string =>
  [
    '**Throughput** on PostgreSQL: requests a second (for orders, whole orders of two calls), each connection asking again once it is answered.',
    table(
      ['call', 'connections', 'a second', 'p50 ms', 'p99 ms', 'CPU µs each', 'to hello', 'errors'],
      rows.map(({ call, connections, rate, toHello }) => [
        call,
        String(connections),
        whole(rate.perSecond),
        rate.p50.toFixed(0),
        rate.p99.toFixed(0),
        rate.cpuMicros.toFixed(0),
        `**${ratio(toHello)}**`,
        String(rate.errors),
      ]),
    ),
  ].join('\n\n');
