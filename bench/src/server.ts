/**
 * `npm run bench:server`: measures the server's load and latency, and Fastify's hello-world in the same run. Prints the tables of
 * docs/performance.md, "Server".
 */
import { execFileSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { readOptions } from '../../scripts/setup/options.mjs';
import { findProgram } from '../../scripts/setup/programs.mjs';
import { measureMixed } from './server/mixed';
import { measureRender } from './server/render';
import { Rig } from './server/shops';
import { measureThroughput } from './server/throughput';

const parts = { throughput: measureThroughput, mixed: measureMixed, render: measureRender };
const names = Object.keys(parts) as Array<keyof typeof parts>;

const help = `npm run bench:server -- [--seconds 5] [--part ${names.join(',')}]

  --seconds  of each figure of throughput; a mix runs three times as long (default 5)

Needs PostgreSQL's programs (PATH or /usr/lib/postgresql).`;

async function main(): Promise<void> {
  const { values } = readOptions(help, {
    options: { seconds: { type: 'string', default: '5' }, part: { type: 'string', default: names.join(',') } },
  });
  const seconds = Number(values.seconds);
  const wanted = values.part.split(',');
  if (!(seconds > 0) || wanted.some((name) => !(name in parts))) throw new Error(help);
  const rig = new Rig();
  try {
    const postgres = path.join(path.dirname(findProgram('initdb') ?? ''), 'postgres');
    const version = execFileSync(postgres, ['--version']).toString().trim();
    console.log(
      `${os.cpus().length} cores, Node ${process.versions.node}, ${version}; ${new Date().toISOString().slice(0, 10)}.`,
    );
    for (const name of names) if (wanted.includes(name)) console.log(`\n${await parts[name](rig, seconds)}`);
  } finally {
    await rig.close();
  }
}

main()
  .catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  })
  .then(() => process.exit());
