import type { Metric } from '../../health/health-event';
import type { ReleaseHealth } from '../../health/health-view';
import type { OpsRelease } from '../ops-state';
import { shareChart, vitalScale } from './charts';
import { element } from './dom';
import { percent, versionCode } from './format';

/** The words and the colour of a release's pill. */
export function stateOf(release: OpsRelease, bound: number): [text: string, kind: 'idle' | 'busy' | 'fine' | 'alarm'] {
  if (release.checking) return [release.checking.place > 1 ? 'waits for the gate' : 'being checked', 'busy'];
  if (!release.version && !release.canary) return ['nothing live', 'idle'];
  const watched = release.canary ? release.healthCanary : release.health;
  const verdict = release.watched?.verdict;
  const failing = verdict === 'bad' || verdict === 'alert' || (watched !== null && watched.share >= bound);
  if (release.canary) return failing ? ['canary fails', 'alarm'] : [`canary ${release.canary.traffic} %`, 'busy'];
  if (release.frozen.length > 0) return ['frozen', 'busy'];
  if (!watched || watched.visits === 0) return ['no visit yet', 'idle'];
  return failing ? ['failing', 'alarm'] : ['healthy', 'fine'];
}

/** How one version fares: its share of failures now, over half an hour, and its web vitals. */
export function healthSection(
  label: string,
  name: string,
  version: string | null,
  health: ReleaseHealth | null,
  bound: number,
): HTMLElement | null {
  if (!version || !health) return null;
  const unseen = health.visits + health.failures === 0;
  const text = unseen ? 'no visit yet' : `${percent(health.share)} of ${health.visits} visits failed`;
  const kind = health.share >= bound ? 'bad' : unseen ? 'muted' : 'good';
  const vitals = Object.entries(health.vitals) as Array<[Metric, number]>;
  return element(
    'section',
    { class: 'health', 'aria-label': `${label}: ${name}@${version}` },
    element('div', { class: 'health__head' }, element('span', { class: 'tag' }, label), versionCode(version)),
    element('p', { class: kind }, text),
    health.refused > 0 && element('p', { class: 'bad' }, `the policy refused requests in ${health.refused} visits`),
    !unseen &&
      shareChart(health.series, bound, `${label}, share of failures a minute over the last 30 minutes: ${text}`),
    !unseen &&
      element(
        'div',
        { class: 'axis', 'aria-hidden': true },
        element('span', {}, '30 minutes ago'),
        element('span', {}, `dashed: ${percent(bound)}`),
        element('span', {}, 'now'),
      ),
    health.segments.length > 0 && segmentList(health, `${label}, failures by segment of the visitors`),
    vitals.length > 0 &&
      element('div', { class: 'vitals' }, ...vitals.map(([metric, value]) => vitalScale(metric, value))),
  );
}

/** Who sees failures: by language, device, and signed in or not. */
function segmentList({ segments }: ReleaseHealth, label: string): HTMLElement {
  const share = (visits: number, failures: number) => percent(visits > 0 ? Math.min(1, failures / visits) : 0);
  return element(
    'ul',
    { class: 'segments', 'aria-label': label },
    ...segments.map(({ group, visits, failures }) =>
      element('li', {}, element('span', {}, group), element('span', {}, `${share(visits, failures)} of ${visits}`)),
    ),
  );
}

/** What the watcher thinks, and for a canary that it raises, the next step. */
export function watchNote({ watched, canary }: OpsRelease): HTMLElement | null {
  if (!watched) return null;
  const { verdict, why, next } = watched;
  const step =
    next &&
    `Raised by itself: ${canary?.steps?.map((one) => (one === canary.traffic ? `[${one}]` : one)).join(', ') ?? ''} %. ` +
      (verdict === 'well'
        ? `Next ${next.traffic} %${next.waitsFor ? ` after ${next.waitsFor}` : ' now'}.`
        : `It stays at ${canary?.traffic} % while this holds.`);
  if (!why && !step) return null;
  return element(
    'div',
    { class: 'watch' },
    why ? element('p', { class: 'bad' }, why) : null,
    step ? element('p', { class: 'muted' }, step) : null,
  );
}
