import {
  type ActResults,
  type Check,
  type ListedKey,
  type PublishedRelease,
  type PublishResult,
  type Revision,
  type Status,
  terminalText,
  type Verdict,
  type VerifyResult,
} from '@platform/releases';
import { type ReleaseReport, vitalText } from '@platform/watch';

type Line = (line: string) => void;

function table(given: string[][], line: Line): void {
  const rows = given.map((row) => row.map((cell) => terminalText(cell)));
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows)
    line(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

/** JSON that a terminal shows as it is: what it may obey is escaped. */
export const jsonText = (value: unknown) => terminalText(JSON.stringify(value, null, 2), { lines: true });

const mark = ({ outcome }: Check) => ({ passed: 'ok  ', failed: 'FAIL', skipped: 'skip' })[outcome];
const minute = (at: string | null) => (at ? at.slice(0, 16).replace('T', ' ') : '');
const dry = (dryRun: boolean) => (dryRun ? ' (dry run, nothing changed)' : '');

export const checkLine = (check: Check) =>
  terminalText(`  ${mark(check)}  ${check.check.padEnd(10)}  ${check.detail}`, { lines: true });

function checks(list: Check[], line: Line): void {
  for (const check of list) line(checkLine(check));
}

const printers: Record<string, (result: never, line: Line) => void> = {
  build: (results: Array<{ name: string; version: string; cached: boolean; milliseconds: number }>, line) => {
    for (const one of results)
      line(`${one.name}@${one.version}  ${one.cached ? 'unchanged' : `built in ${one.milliseconds} ms`}`);
    const [first] = results;
    if (first) line(`Next: npm run release -- publish ${first.name}`);
  },
  publish: (results: Array<PublishResult & { preview: string }>, line) => {
    for (const one of results) {
      line(
        `${one.name}@${one.version}  ${one.outcome}, ${one.files} files, ${Math.ceil(one.bytes / 1000)} kB${dry(one.dryRun)}`,
      );
      if (!one.dryRun) line(`Preview: ${one.preview}`);
      line(`Next: npm run release -- promote ${one.name}@${one.version}`);
    }
  },
  promote: (results: Array<ActResults['promote']>, line) => {
    for (const one of results) {
      if (one.outcome === 'already live') {
        line(`${one.name}@${one.version} is already live`);
        continue;
      }
      const share =
        one.outcome === 'canary'
          ? `has ${one.traffic} % of the visitors${one.then ? `, then by itself ${one.then.join(', ')} %` : ''}`
          : `is live${one.from ? `, was ${one.from}` : ''}`;
      line(`${one.name}@${one.version} ${share}; revision ${one.rev}${dry(one.dryRun)}`);
    }
  },
  rollback: (one: ActResults['rollback' | 'restore'], line) => {
    if (one.outcome === 'already') {
      line(
        `Nothing was changed: ${one.name === '*' ? `the map is as it was at revision ${one.to}` : `${one.name}@${one.from} was replaced with ${one.to ?? 'nothing'} before`}`,
      );
      if (one.name !== '*' && one.to)
        line(`To go back further: npm run release -- rollback ${one.name} --from ${one.to}`);
    } else if (one.outcome === 'restored')
      line(`The whole map is as it was at revision ${one.to}; revision ${one.rev}${dry(one.dryRun)}`);
    else if (one.outcome === 'abandoned')
      line(
        `The canary ${one.name}@${one.from} is gone, ${one.to ?? 'nothing'} serves everybody; revision ${one.rev}${dry(one.dryRun)}`,
      );
    else line(`${one.name}@${one.to} is live again, was ${one.from}; revision ${one.rev}${dry(one.dryRun)}`);
  },
  health: (reports: ReleaseReport[], line) => {
    const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
    for (const { name, version, role, traffic, health, watched } of reports) {
      const failed = health ? `${percent(health.share)} of ${health.visits} visits failed` : 'no visit is counted';
      line(`${name}@${version}  ${role}${role === 'previous' ? '' : ` ${traffic} %`}: ${failed}`);
      if (!health) continue;
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
      if (health.refused > 0) line(`  the policy refused requests in ${health.refused} visits`);
      const said = watched?.why ?? watched?.next?.waitsFor ?? watched?.undecided;
      if (watched && said)
        line(terminalText(`  ${watched.verdict === 'well' ? 'waits for' : watched.verdict}: ${said}`));
    }
  },
  status: ({ channel, rev, changed, releases }: Status, line) => {
    line(
      `${channel}, revision ${rev}${changed ? `, ${minute(changed.at)} UTC by ${changed.by}: ${changed.action} ${changed.name}` : ', nothing is live'}`,
    );
    table(
      [
        ['name', 'live', 'since (UTC)', 'by', 'before', 'remarks'],
        ...releases.map((one) => [
          one.name,
          one.version ?? '-',
          minute(one.since),
          one.by ?? '',
          one.previous ?? '-',
          [
            one.canary &&
              `canary ${one.canary.version} ${one.canary.traffic} %${one.canary.steps ? ` of ${one.canary.steps.join(', ')}` : ''}`,
            ...one.frozen.map(({ version, why }) => `frozen${version ? ` ${version}` : ''}: ${why}`),
            one.renderingOff && `not rendered: ${one.renderingOff.why}`,
            one.waiting && `published, not live: ${one.waiting}`,
          ]
            .filter(Boolean)
            .join('; '),
        ]),
      ],
      line,
    );
  },
  releases: (published: PublishedRelease[], line) =>
    table(
      [
        ['release', 'published (UTC)', 'by', 'commit', 'gate', 'serves'],
        ...published.map(({ name, version, at, by, provenance, gate, serves }) => [
          `${name}@${version}`,
          minute(at),
          by,
          provenance?.commit?.slice(0, 12) ?? '-',
          gate ? `${gate.passed ? 'passed' : 'refused'} ${minute(gate.at)}` : '-',
          serves ?? '',
        ]),
      ],
      line,
    ),
  session: ({ key }: { key: string }, line) => line(key),
  keys: (result: ListedKey[] | ListedKey | { key: string; identity: ListedKey }, line) => {
    if ('key' in result) {
      line(result.key);
      line(`It is shown this once. Key ${result.identity.id} is good until ${minute(result.identity.expiresAt)} UTC.`);
      return;
    }
    if (!Array.isArray(result)) return line(`the key ${result.id} (${result.name}) is not good any more`);
    const rows = result.map(({ id, name, role, remotes, channels, maxTraffic, expiresAt, by, revoked }) => [
      id,
      name,
      role,
      [...remotes, ...(maxTraffic === undefined ? [] : [`up to ${maxTraffic} %`])].join(' '),
      channels.join(' '),
      revoked ? `revoked ${minute(revoked.at)} by ${revoked.by}` : minute(expiresAt),
      by,
    ]);
    table([['id', 'name', 'role', 'remotes', 'channels', 'good until (UTC)', 'made by'], ...rows], line);
  },
  history: (revisions: Revision[], line) => {
    if (revisions.length === 0) return line('no revision yet');
    table(
      revisions.map((one) => [
        String(one.rev),
        minute(one.at),
        one.by,
        one.action,
        one.name,
        `${one.from ?? '-'} -> ${one.to ?? '-'}`,
        one.why,
      ]),
      line,
    );
  },
  // Its checks were shown as they were done.
  gate: (verdict: Verdict, line) => line(`${verdict.name}@${verdict.version} passes the gate`),
  verify: ({ channel, rev, ok, releases }: VerifyResult, line) => {
    for (const one of releases) {
      line(`${one.name}@${one.version}${one.live ? ' (live)' : ''}`);
      checks(one.checks, line);
    }
    line(`${channel}, revision ${rev}: ${ok ? 'all is as it was published' : 'something is wrong'}`);
  },
  prune: ({ removed, kept, dryRun }: { removed: string[]; kept: string[]; dryRun: boolean }, line) => {
    for (const one of removed) line(`removed ${one}`);
    line(`${removed.length} removed, ${kept.length} kept${dry(dryRun)}`);
  },
};
const frozen = (one: ActResults['freeze' | 'unfreeze' | 'render-off' | 'render-on'], line: Line) =>
  line(`${one.name}${one.version ? `@${one.version}` : ''} is ${one.outcome}; revision ${one.rev}${dry(one.dryRun)}`);
printers.freeze = frozen;
printers.unfreeze = frozen;
printers['render-off'] = frozen;
printers['render-on'] = frozen;

export function print(command: string, result: unknown, line: Line = console.log): void {
  printers[command]?.(result as never, (text) => line(terminalText(text)));
  for (const one of [result].flat() as Array<{ warnings?: string[] } | undefined>)
    for (const text of one?.warnings ?? []) console.error(terminalText(`warning: ${text}`));
}
