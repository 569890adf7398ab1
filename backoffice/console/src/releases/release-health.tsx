import type { OpsRelease, ReleaseHealth } from '@shop/backoffice/wire';
import type { Tone } from '@shop/shared/ui';
import { ShareChart, VitalScale } from './charts';
import { t as text, useTexts } from './texts';

export const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

export interface ReleaseState {
  text: string;
  tone: Tone;
  /** What it fails with; absent while it does not. */
  fault?: string;
}

/** What is said of a release first. */
export function stateOf(release: OpsRelease, bound: number): ReleaseState {
  const { checking, version, canary, watched, frozen } = release;
  if (checking) return { text: text(checking.place > 1 ? 'state.waits' : 'state.checked'), tone: 'warning' };
  if (!version && !canary) return { text: text('state.nothing'), tone: 'neutral' };
  const health = canary ? release.healthCanary : release.health;
  const isFailing =
    watched?.verdict === 'bad' || watched?.verdict === 'alert' || (health !== null && health.share >= bound);
  if (isFailing) {
    const fault = watched?.why ?? (health ? failedText(health) : '');
    return { text: text(canary ? 'state.canaryFails' : 'state.failing'), tone: 'danger', fault };
  }
  if (canary) return { text: text('state.canary', { share: canary.traffic }), tone: 'accent' };
  if (frozen.length > 0) return { text: text('state.frozen'), tone: 'warning' };
  // The database does not answer.
  if (!health) return { text: text('state.unknown'), tone: 'neutral' };
  if (health.visits === 0) return { text: text('state.unseen'), tone: 'neutral' };
  return { text: text('state.healthy'), tone: 'success' };
}

/** Failing ones first, then what changes just now, then by name. */
export function inOrderOfNeed(releases: OpsRelease[], bound: number): OpsRelease[] {
  const rank = (release: OpsRelease) => {
    if (stateOf(release, bound).tone === 'danger') return 0;
    return release.canary || release.checking ? 1 : 2;
  };
  return [...releases].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}

const failedText = ({ share, visits }: ReleaseHealth) => text('health.failed', { share: percent(share), visits });

export interface ReleaseVersion {
  label: string;
  name: string;
  version: string | null;
  health: ReleaseHealth | null;
}

const VersionLine = ({ label, version }: { label: string; version: string }) => (
  <p className="line hint">
    <span>{label}</span>
    <code>{version}</code>
  </p>
);

/** How one version does: its share of failures now, and over half an hour. */
export function HealthSection({ label, name, version, health, bound }: ReleaseVersion & { bound: number }) {
  const { t } = useTexts();
  if (!version || !health) return null;
  const isUnseen = health.visits + health.failures === 0;
  const said = isUnseen ? t('state.unseen') : failedText(health);
  return (
    <section className="list" aria-label={t('health.region', { label, release: `${name}@${version}` })}>
      <VersionLine label={label} version={version} />
      <p className={health.share >= bound ? 'is-poor' : isUnseen ? 'hint' : 'is-good'}>{said}</p>
      {health.refused > 0 && <p className="is-poor">{t('health.refused', { count: health.refused })}</p>}
      {!isUnseen && (
        <>
          <ShareChart series={health.series} bound={bound} label={t('health.chart', { label, text: said })} />
          <p className="line hint" aria-hidden="true">
            <span>{t('health.begin')}</span>
            <span>{t('health.bound', { share: percent(bound) })}</span>
            <span>{t('health.now')}</span>
          </p>
        </>
      )}
    </section>
  );
}

/** Who sees failures of one version, and its web vitals. */
export function VisitorsAndVitals({ label, version, health }: ReleaseVersion) {
  const { t } = useTexts();
  if (!version || !health) return null;
  const vitals = Object.entries(health.vitals) as Array<[keyof ReleaseHealth['vitals'], number]>;
  // By language, device, and signed in or not.
  const segments = health.segments.flatMap((one) => (one.group === 'all' ? [] : [{ ...one, group: one.group }]));
  if (segments.length + vitals.length + health.errors.length === 0) return null;
  return (
    <div className="list">
      <VersionLine label={label} version={version} />
      {health.errors.length > 0 && (
        <ul className="list hint" aria-label={t('health.errors', { label })}>
          {health.errors.map(({ kind, at, source, visits }) => (
            <li key={`${kind} ${at}`}>
              {t('health.error', { kind: t(`failure.${kind}`), count: visits })} <code title={at}>{source ?? at}</code>
            </li>
          ))}
        </ul>
      )}
      {segments.length > 0 && (
        <ul className="pair tight hint" aria-label={t('health.segments', { label })}>
          {segments.map(({ group, visits, failures }) => (
            <li key={group} className="line">
              <span>{t(`group.${group}`)}</span>
              <span>
                {t('health.segment', { share: percent(visits > 0 ? Math.min(1, failures / visits) : 0), visits })}
              </span>
            </li>
          ))}
        </ul>
      )}
      {vitals.map(([metric, value]) => (
        <VitalScale key={metric} metric={metric} value={value} />
      ))}
    </div>
  );
}

/** For a canary that is raised by itself: its step, and the next one or what keeps it. */
export function NextStep({ watched, canary }: OpsRelease) {
  const { t } = useTexts();
  if (!watched?.next || !canary) return null;
  const { traffic, waitsFor } = watched.next;
  const steps = canary.steps?.map((one) => (one === canary.traffic ? `[${one}]` : one)).join(', ') ?? '';
  const wellText = waitsFor ? t('nextAfter', { share: traffic, wait: waitsFor }) : t('nextNow', { share: traffic });
  const next = watched.verdict === 'well' ? wellText : t('stays', { share: canary.traffic });
  return <p className="hint">{`${t('raised', { steps })} ${next}`}</p>;
}
