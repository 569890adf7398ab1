/** `npm run test:soak`: SOAK_OPERATIONS (100000), SOAK_EMBEDDED (10000), SOAK_SEED; `--save file.json` keeps the figures. */
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { type SoakReport, soak } from './soak';

const { values } = parseArgs({ options: { save: { type: 'string' } } });
const { SOAK_OPERATIONS = '100000', SOAK_EMBEDDED = '10000', SOAK_SEED } = process.env;
const seed = SOAK_SEED ? Number(SOAK_SEED) : undefined;
const onProgress = (text: string) => console.log(`  ${text}`);

function print(report: SoakReport): void {
  const { invariants, differences, acknowledged, acts, codes, ...figures } = report;
  console.table(figures);
  console.log('acts', acts, '\nanswers', codes, '\nacknowledged and found again', acknowledged);
  for (const [name, state] of Object.entries(invariants)) console.log(`  ${state.padEnd(8)} ${name}`);
  console.log(
    differences.length ? differences.join('\n') : '  holds    the database is what was acknowledged, both ways',
  );
}

async function main(): Promise<void> {
  const reports: SoakReport[] = [];
  const runs = [
    {
      kind: 'postgres' as const,
      operations: Number(SOAK_OPERATIONS),
      serverKills: 20,
      databaseKills: 10,
      rotations: 3,
    },
    { kind: 'pglite' as const, operations: Number(SOAK_EMBEDDED), serverKills: 8, rotations: 2 },
  ];
  for (const run of runs.filter((one) => one.operations > 0)) {
    console.log(`\nsoak on ${run.kind}: ${run.operations} operations`);
    const report = await soak({ ...run, seed, onProgress });
    print(report);
    reports.push(report);
  }
  if (values.save) fs.writeFileSync(values.save, `${JSON.stringify(reports, null, 2)}\n`);
  const broken = reports.some(
    (one) => one.differences.length || Object.values(one.invariants).some((state) => state !== 'holds'),
  );
  console.log(broken ? '\nBROKEN' : '\nEvery invariant holds.');
  process.exitCode = broken ? 1 : 0;
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
