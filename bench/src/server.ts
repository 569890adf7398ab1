/**
 * `npm run bench:server`: the server's load and latency, beside Fastify's hello in the same run. Prints tables, writes
 * bench/results/server.json and the tables into docs/performance.md.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readOptions } from '../../scripts/setup/options.mjs';
import { findProgram } from '../../scripts/setup/programs.mjs';
import { root, saveResult, writeBetween } from './report/report';
import { measureMixed } from './server/mixed';
import { measureRender } from './server/render';
import { reportOf, type ServerResults } from './server/report';
import { Rig } from './server/shops';
import { measureThroughput } from './server/throughput';

const parts = ['throughput', 'mixed', 'render'] as const;
type Part = (typeof parts)[number];

const help = `npm run bench:server -- [--seconds 5] [--part ${parts.join('|')}] [--dry]

  --seconds  of each figure of throughput; a mix runs three times as long (default 5)
  --part     one part only; the others' figures stay as they are in the results
  --dry      print only, write neither results nor documentation

Needs PostgreSQL's programs (PATH or /usr/lib/postgresql). Results: bench/results/server.json, docs/performance.md.`;

async function main(): Promise<void> {
  const { values } = readOptions(help, {
    options: {
      seconds: { type: 'string', default: '5' },
      part: { type: 'string', default: parts.join(',') },
      dry: { type: 'boolean', default: false },
    },
  });
  const seconds = Number(values.seconds);
  const wanted = values.part.split(',');
  if (!(seconds > 0) || wanted.some((one) => !parts.includes(one as Part))) throw new Error(help);
  const log = (line: string) => console.error(line);

  const results: ServerResults = JSON.parse(readFileSync(path.join(root, 'bench', 'results', 'server.json'), 'utf8'));
  const rig = new Rig();
  try {
    if (wanted.includes('throughput')) results.throughput = await measureThroughput(rig, seconds, log);
    if (wanted.includes('mixed')) results.mixed = await measureMixed(rig, seconds, log);
    if (wanted.includes('render')) results.render = await measureRender(rig, seconds, log);
  } finally {
    await rig.close();
  }
  results.machine = {
    cpus: os.cpus().length,
    node: process.versions.node,
    postgres: execFileSync(path.join(path.dirname(findProgram('initdb') ?? ''), 'postgres'), ['--version'])
      .toString()
      .trim(),
    date: new Date().toISOString().slice(0, 10),
  };
  const report = reportOf(results);
  console.log(report);
  if (values.dry) return;
  saveResult('server', results);
  writeBetween('docs/performance.md', 'bench:server', report);
}

main()
  .catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  })
  .then(() => process.exit());
