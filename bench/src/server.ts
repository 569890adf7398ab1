/** `npm run bench:server`: throughput and latency of the server, beside a bare Fastify server in the same run. */
import { execFileSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { readOptions } from '../../scripts/setup/options.mjs';
import { findProgram } from '../../scripts/setup/programs.mjs';
import { report, writeHelp, writeOption } from './report';
import { measureGrowth } from './server/growth';
import { measureMixed } from './server/mixed';
import { measureRender } from './server/render';
import { Rig } from './server/shops';
import { measureThroughput } from './server/throughput';

const parts = { throughput: measureThroughput, mixed: measureMixed, render: measureRender, growth: measureGrowth };
const names = Object.keys(parts) as Array<keyof typeof parts>;

const help = `npm run bench:server -- [--seconds 5] [--part ${names.join(',')}] [--write]

  --seconds    of each figure of throughput; a mix runs three times as long (default 5)
  --part       parts to measure (default: all)
  ${writeHelp}

Needs PostgreSQL's programs (PATH or /usr/lib/postgresql).`;

async function main(): Promise<void> {
  const { values } = readOptions(help, {
    options: {
      seconds: { type: 'string', default: '5' },
      part: { type: 'string', default: names.join(',') },
      ...writeOption,
    },
  });
  const seconds = Number(values.seconds);
  const partNames = values.part.split(',');
  if (!(seconds > 0) || partNames.some((name) => !(name in parts))) throw new Error(help);
  const rig = new Rig();
  try {
    const postgres = path.join(path.dirname(findProgram('initdb') ?? ''), 'postgres');
    const version = execFileSync(postgres, ['--version']).toString().trim();
    const machine = `${os.cpus().length} cores, Node ${process.versions.node}, ${version}.`;
    for (const name of names)
      if (partNames.includes(name))
        report(`bench:${name}`, `${machine}\n\n${await parts[name](rig, seconds)}`, values.write);
  } finally {
    await rig.close();
  }
}

main().then(() => process.exit());
