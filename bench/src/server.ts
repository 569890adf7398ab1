/**
 * `npm run bench:server`: the server's load and latency, beside Fastify's hello and pgbench in the same run. Prints tables, writes
 * bench/results/server.json and the tables into docs/performance.md.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readOptions } from '../../scripts/setup/options.mjs';
import { findBinaries } from '../../server/test/support/postgres';
import { measureGrowth } from './server/growth';
import { measureLock } from './server/lock';
import { measureMixed } from './server/mixed';
import { measureRender } from './server/render';
import { reportOf, type ServerResults, withReport } from './server/report';
import { Rig } from './server/shops';
import { measureStaff } from './server/staff';
import { measureStart } from './server/start';
import { measureThroughput } from './server/throughput';

const parts = ['throughput', 'mixed', 'growth', 'start', 'lock', 'render', 'staff'] as const;
type Part = (typeof parts)[number];

const help = `npm run bench:server -- [--seconds 5] [--part ${parts.join('|')}] [--only 'PGlite, full order.* 8 ' --dry]

  --seconds  of each figure of throughput; a mix runs three times as long (default 5)
  --part     one part only; the others' figures stay as they are in the results ("memory" stands with start and mixed)
  --only     throughput of the lines that match this expression, such as "PGlite, order detail, 8 connections"; with --dry only
  --dry      print only, write neither results nor documentation

Needs PostgreSQL's programs (PATH or /usr/lib/postgresql). Results: bench/results/server.json, docs/performance.md.`;

const resultsFile = path.resolve(__dirname, '..', 'results', 'server.json');
const documentFile = path.resolve(__dirname, '../..', 'docs', 'performance.md');

async function main(): Promise<void> {
  const { values } = readOptions(help, {
    options: {
      seconds: { type: 'string', default: '5' },
      part: { type: 'string' },
      only: { type: 'string' },
      dry: { type: 'boolean', default: false },
    },
  });
  const seconds = Number(values.seconds);
  const wanted = values.part === 'memory' ? ['start', 'mixed'] : values.part ? values.part.split(',') : parts;
  // A part of the rows would take the place of all of them.
  if (values.only && !values.dry) throw new Error(help);
  if (!(seconds > 0) || wanted.some((one) => !parts.includes(one as Part))) throw new Error(help);
  const log = (line: string) => console.error(line);

  const results: ServerResults = fs.existsSync(resultsFile)
    ? (JSON.parse(fs.readFileSync(resultsFile, 'utf8')) as ServerResults)
    : {};
  const rig = new Rig();
  try {
    if (wanted.includes('throughput')) {
      const only = values.only ? new RegExp(values.only) : undefined;
      results.throughput = await measureThroughput(rig, seconds, log, only);
    }
    if (wanted.includes('mixed')) results.mixed = await measureMixed(rig, seconds, log);
    if (wanted.includes('start')) results.start = await measureStart(rig, seconds < 3 ? 1 : 3, log);
    // As long as docs/performance.md says.
    if (wanted.includes('lock')) results.lock = await measureLock(rig, seconds < 3 ? seconds : 10, log);
    if (wanted.includes('render')) results.render = await measureRender(rig, seconds, log);
    if (wanted.includes('staff')) results.staff = await measureStaff(rig, log);
    if (wanted.includes('growth')) results.growth = await measureGrowth(rig, log);
  } finally {
    await rig.close();
  }
  results.machine = {
    cpus: os.cpus().length,
    node: process.versions.node,
    postgres: execFileSync(path.join(findBinaries() ?? '', 'postgres'), ['--version'])
      .toString()
      .trim(),
    date: new Date().toISOString().slice(0, 10),
  };
  if (values.only) return;
  const report = reportOf(results);
  console.log(report);
  if (values.dry) return;
  fs.writeFileSync(resultsFile, `${JSON.stringify(results, null, 2)}\n`);
  fs.writeFileSync(documentFile, withReport(fs.readFileSync(documentFile, 'utf8'), report));
}

main()
  .catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  })
  .then(() => process.exit());
