import { type Check, type Status, terminalText } from '@platform/releases';
import { type ReleaseReport, vitalText } from '@platform/watch';

export type Line = (line: string) => void;

export function table(cells: string[][], line: Line): void {
  const rows = cells.map((row) => row.map((cell) => terminalText(cell)));
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows)
    line(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

export const jsonText = (value: unknown) => terminalText(JSON.stringify(value, null, 2), { lines: true });

const mark = ({ outcome }: Check) => ({ passed: 'ok  ', failed: 'FAIL', skipped: 'skip' })[outcome];
export const minute = (at: string | null) => (at ? at.slice(0, 16).replace('T', ' ') : '');
export const dry = (dryRun: boolean) => (dryRun ? ' (dry run, nothing changed)' : '');

export const checkLine = (check: Check) =>
  terminalText(`  ${mark(check)}  ${check.check.padEnd(10)}  ${check.detail}`, { lines: true });

export function printHealth(reports: ReleaseReport[], line: Line): void {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  for (const { name, version, role, traffic, health, watched } of reports) {
    const shown = `${name}@${version}  ${role}${role === 'previous' ? '' : ` ${traffic} %`}`;
    line(`${shown}: ${percent(health.share)} of ${health.visits} visits failed`);
    for (const { kind, at, source, visits } of health.errors)
      line(terminalText(`  ${kind} in ${visits} visits${at ? `: ${source ? `${source} (${at})` : at}` : ''}`));
    for (const { group, visits, failures } of health.segments)
      line(`  ${group}: ${percent(Math.min(1, failures / visits))} of ${visits} visits failed`);
    for (const { path, visits, reached } of health.funnel)
      line(
        `  ${path.replace('>', ' → ')}: ${percent(visits > 0 ? Math.min(1, reached / visits) : 0)} of ${visits} visits`,
      );
    for (const [metric, value] of Object.entries(health.vitals) as Array<[keyof typeof health.vitals, number]>)
      line(`  p75 of ${metric}: ${vitalText(metric, value)}`);
    if (health.refused > 0) line(`  the Content-Security-Policy refused requests in ${health.refused} visits`);
    const said = watched?.why ?? watched?.next?.waitsFor ?? watched?.undecided;
    if (watched && said) line(terminalText(`  ${watched.verdict === 'well' ? 'waits for' : watched.verdict}: ${said}`));
  }
}

export function printStatus({ rev, changed, releases }: Status, line: Line): void {
  line(
    `revision ${rev}${changed ? `, ${minute(changed.at)} UTC by ${changed.by}: ${changed.action} ${changed.name}` : ', nothing is live'}`,
  );
  table(
    [
      ['name', 'live', 'since (UTC)', 'by', 'before', 'remarks'],
      ...releases.map((release) => [
        release.name,
        release.version ?? '-',
        minute(release.since),
        release.by ?? '',
        release.previous ?? '-',
        [
          release.canary &&
            `canary ${release.canary.version} ${release.canary.traffic} %${release.canary.steps ? ` of ${release.canary.steps.join(', ')}` : ''}`,
          ...release.frozen.map(({ version, why }) => `frozen${version ? ` ${version}` : ''}: ${why}`),
          release.renderingOff && `rendering off: ${release.renderingOff.why}`,
          release.waiting && `published, not live: ${release.waiting}`,
        ]
          .filter(Boolean)
          .join('; '),
      ]),
    ],
    line,
  );
}
