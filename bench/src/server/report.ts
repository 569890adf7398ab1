import type { Growth } from './growth';
import type { LockRow } from './lock';
import type { MixedRow } from './mixed';
import type { RenderResults } from './render';
import type { StaffResults } from './staff';
import type { StartRow } from './start';
import type { Throughput } from './throughput';

export interface ServerResults {
  machine?: { cpus: number; node: string; postgres: string; date: string };
  throughput?: Throughput;
  mixed?: MixedRow[];
  growth?: Growth;
  start?: StartRow[];
  lock?: LockRow[];
  render?: RenderResults;
  staff?: StaffResults;
}

const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
const whole = (value: number) => Math.round(value).toLocaleString('en');
const ratio = (value: number | undefined) => (value === undefined ? '' : value.toFixed(2));
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

export function reportOf({ machine, throughput, mixed, growth, start, lock, render, staff }: ServerResults): string {
  const parts: string[] = [];
  if (machine) parts.push(`${machine.cpus} cores, Node ${machine.node}, ${machine.postgres}; ${machine.date}.`);
  if (throughput) parts.push(throughputTables(throughput));
  if (mixed) {
    parts.push(
      '**A mix of calls at a fixed pace**, each timed from the moment at which it was due.',
      table(
        ['database', 'asked/s', 'answered/s', 'p50 ms', 'p99 ms', 'p99.9 ms', 'errors', 'memory before', 'after'],
        mixed.map(({ database, asked, result, memory }) => [
          database,
          whole(asked),
          whole(result.perSecond),
          result.p50.toFixed(1),
          result.p99.toFixed(1),
          result.p999.toFixed(1),
          String(result.errors),
          megabytes(memory.before),
          megabytes(memory.after),
        ]),
      ),
    );
  }
  if (start) {
    parts.push(
      '**Start**, from the process to the first "ready"; the first one migrates and fills the shop.',
      table(
        ['database', 'first start', 'later', 'later to first', 'idle memory'],
        start.map((row) => [
          row.database,
          `${whole(row.firstMs)} ms`,
          `${whole(row.laterMs)} ms`,
          ratio(row.laterMs / row.firstMs),
          megabytes(row.idleMemory),
        ]),
      ),
    );
  }
  if (lock) {
    parts.push(
      '**A locked table**: `orders` locked for 10 s at 500 requests a second, half of them calls that need it. On PGlite a lock holds the one connection.',
      table(
        [
          'database',
          'calls',
          'need it',
          'p99 ms',
          'p99 ms, locked',
          'ratio',
          '503',
          'other errors',
          'works again after',
        ],
        lock.map(({ database, calls, needs, free, locked, ratio: change, recoveredMs }) => [
          database,
          calls.join(', '),
          needs ? 'yes' : 'no',
          free.p99.toFixed(1),
          locked.p99.toFixed(1),
          `**${ratio(change)}**`,
          `${whole(locked.busy)} of ${whole(locked.calls)}`,
          String(locked.failed),
          recoveredMs === undefined ? '' : `${whole(recoveredMs)} ms`,
        ]),
      ),
    );
  }
  if (growth) {
    parts.push(
      '**Growth** on PostgreSQL: median ms of one call that the database answers, and the rows it read for it; nothing from memory.',
      table(
        [
          'call',
          ...growth.sizes.map(({ goods, orders }) => `${whole(goods)} goods, ${whole(orders)} orders`),
          'last to first',
          'rows read',
          'whole tables read',
        ],
        growth.rows.map((row) => [
          row.call,
          ...row.ms.map((ms) => ms.toFixed(2)),
          `**${ratio(row.ratio)}**`,
          row.rowsRead.map(whole).join(' → '),
          row.wholeTables.join(', ') || 'none',
        ]),
      ),
    );
  }
  if (render) parts.push(renderTables(render));
  if (staff) {
    parts.push(
      `**The staff console** on PostgreSQL, in a shop of ${whole(staff.orders)} orders: ms of the statements of one call. A search is bounded to 50 ms.`,
      table(
        ['call', 'median', 'slowest', 'found', 'rows read', 'whole tables read'],
        staff.rows.map((row) => [
          row.call,
          row.median.toFixed(2),
          row.slowest.toFixed(2),
          whole(row.found),
          whole(row.rowsRead),
          row.wholeTables.join(', ') || 'none',
        ]),
      ),
    );
  }
  return parts.join('\n\n');
}

function renderTables({ uncached, renderer, fromMemory, memory, besideLooping }: RenderResults): string {
  const { alone, beside, ratio: change } = besideLooping;
  return [
    `**Rendered documents** on PGlite, from the request to the last byte, by ${whole(uncached.documents)} different addresses one after the other. The rendering took ${renderer.meanMs.toFixed(1)} ms of it on average; ${whole(renderer.failed)} pages were not rendered.`,
    table(
      ['documents', 'p50 ms', 'p99 ms', 'asked'],
      [
        ['rendered for the request', uncached.p50.toFixed(1), uncached.p99.toFixed(1), '15 / 60'],
        [
          'the same, while another remote’s page is visited 20 times a second',
          alone.p50.toFixed(1),
          alone.p99.toFixed(1),
          '',
        ],
        [
          'the same, while that page loops for ever',
          beside.p50.toFixed(1),
          beside.p99.toFixed(1),
          `p99 at most doubled: **${ratio(change)}**`,
        ],
      ],
    ),
    `From memory: ${whole(fromMemory.rate.perSecond)} documents a second with ${fromMemory.connections} connections (p99 ${fromMemory.rate.p99.toFixed(0)} ms), to hello **${ratio(fromMemory.toHello)}** (0.4 asked).`,
    table(
      ['different documents', 'memory of the server', 'of its rendering processes'],
      memory.map(({ documents, server, processes }) => [whole(documents), megabytes(server), megabytes(processes)]),
    ),
  ].join('\n\n');
}

function throughputTables({ rows, pgbench, helloUnderOrders }: Throughput): string {
  const { idle, underOrders, ratio: kept, ordersPerSecond } = helloUnderOrders;
  return [
    '**Throughput**: requests a second (for orders, whole orders of two calls), each connection asking again once it is answered.',
    table(
      [
        'call',
        'database',
        'connections',
        'a second',
        'p50 ms',
        'p99 ms',
        'CPU µs each',
        'to hello',
        'to pgbench',
        'errors',
      ],
      rows.map(({ call, database, connections, rate, toHello, toPgbench }) => [
        call,
        database,
        String(connections),
        whole(rate.perSecond),
        rate.p50.toFixed(0),
        rate.p99.toFixed(0),
        rate.cpuMicros.toFixed(0),
        `**${ratio(toHello)}**`,
        toPgbench === undefined ? '' : `**${ratio(toPgbench)}**`,
        String(rate.errors),
      ]),
    ),
    '**pgbench** with the same SQL on the same PostgreSQL, prepared; "order" is the two function calls that place and pay one.',
    table(
      ['SQL', 'clients', 'transactions a second'],
      pgbench.map(({ sql, clients, perSecond }) => [sql, String(clients), whole(perSecond)]),
    ),
    `Hello of the shop's own process on PGlite: ${whole(idle.perSecond)} a second idle, ${whole(underOrders.perSecond)} (p99 ${underOrders.p99.toFixed(0)} ms) beside ${whole(ordersPerSecond)} orders a second: **${ratio(kept)}**.`,
  ].join('\n\n');
}

const BEGIN = '<!-- bench:server -->';
const END = '<!-- /bench:server -->';

/** The document with the text between the markers of its section "Server" replaced; the markers are added on first use. */
export function withReport(document: string, report: string): string {
  const block = `${BEGIN}\n${report}\n${END}`;
  const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (begin >= 0 && end > begin) return document.slice(0, begin) + block + document.slice(end + END.length);
  if (!document.includes('\n## Server\n')) throw new Error('docs/performance.md has no section "## Server"');
  return document.replace('\n## Server\n', () => `\n## Server\n\n${block}\n`);
}
