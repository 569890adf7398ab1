import type { OpsHealth, OpsRelease } from '@shop/backoffice/wire';
import type { Tone } from '@shop/shared/ui';
import { t as text, useTexts } from './texts';

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

interface ReleaseState {
  text: string;
  tone: Tone;
  fault?: string;
}

export function stateOf(release: OpsRelease, bound: number): ReleaseState {
  const { placeAtGate, version, canary, watched, frozen } = release;
  if (placeAtGate) return { text: text(placeAtGate > 1 ? 'state.waits' : 'state.checked'), tone: 'warning' };
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

export function sortedByUrgency(releases: OpsRelease[], bound: number): OpsRelease[] {
  const rank = (release: OpsRelease) => {
    if (stateOf(release, bound).tone === 'danger') return 0;
    return release.canary || release.placeAtGate ? 1 : 2;
  };
  return [...releases].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}

const failedText = ({ share, visits }: OpsHealth) => text('health.failed', { share: percent(share), visits });

interface HealthSectionProps {
  label: string;
  name: string;
  version: string | null;
  health: OpsHealth | null;
  bound: number;
}

export function HealthSection({ label, name, version, health, bound }: HealthSectionProps) {
  const { t } = useTexts();
  if (!version || !health) return null;
  const hasNoVisits = health.visits + health.failures === 0;
  return (
    <section className="list" aria-label={t('health.region', { label, release: `${name}@${version}` })}>
      <p className="line hint">
        <span>{label}</span>
        <code>{version}</code>
      </p>
      <p className={health.share >= bound ? 'fault' : hasNoVisits ? 'hint' : 'ui-success'}>
        {hasNoVisits ? t('state.unseen') : failedText(health)}
      </p>
      {health.refused > 0 && <p className="fault">{t('health.refused', { count: health.refused })}</p>}
      {health.errors.length > 0 && (
        <ul className="list hint" aria-label={t('health.errors', { label })}>
          {health.errors.map(({ kind, at, source, visits }) => (
            <li key={`${kind} ${at}`}>
              {t('health.error', { kind: t(`failure.${kind}`), count: visits })} <code title={at}>{source ?? at}</code>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

export function NextStep({ watched, canary }: OpsRelease) {
  const { t } = useTexts();
  if (!watched || !canary) return null;
  if (!watched.next) return watched.undecided && <p className="hint">{t('undecided', { wait: watched.undecided })}</p>;
  const { traffic, waitsFor } = watched.next;
  const steps = canary.steps?.map((stage) => (stage === canary.traffic ? `[${stage}]` : stage)).join(', ') ?? '';
  const wellText = waitsFor ? t('nextAfter', { share: traffic, wait: waitsFor }) : t('nextNow', { share: traffic });
  const next = watched.verdict === 'well' ? wellText : t('stays', { share: canary.traffic });
  return <p className="hint">{`${t('raised', { steps })} ${next}`}</p>;
}
