import type { OpsHealth, OpsRelease, OpsState } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { Chip, Tag, type Tone, VisuallyHidden } from '@shop/shared/ui';
import { useState } from 'react';
import { Select } from '../kit/parts';
import { RunButton, useRun } from './actions-provider';
import { type ReleaseCall, rollBack } from './releases.api';
import { t as text, useTexts } from './texts';

export function ReleaseCard({ release, bound, shop }: { release: OpsRelease } & Pick<OpsState, 'bound' | 'shop'>) {
  const { t } = useTexts();
  const { name, version, canary, since, by, commit } = release;
  const { text, tone, fault } = stateOf(release, bound);
  const unreleased = t(canary ? 'onlyCanary' : 'notPromoted');
  return (
    <article className="card" aria-label={name}>
      <div className="line">
        <h3>{name}</h3>
        <Tag tone={tone}>{text}</Tag>
      </div>
      {fault && <p className="fault">{fault}</p>}
      <FirstActions release={release} />
      <div className="hint">
        <p>{version ? t('since', { at: formatDate(since), by: by ?? '' }) : unreleased}</p>
        {commit && <p>{t('commit', { commit: commit.slice(0, 12) })}</p>}
      </div>
      <Stopped release={release} />
      <NextStep {...release} />
      <HealthSection label={t('isLive')} name={name} version={version} health={release.health} bound={bound} />
      {canary && (
        <HealthSection
          label={t('state.canary', { share: canary.traffic })}
          name={name}
          version={canary.version}
          health={release.healthCanary}
          bound={bound}
        />
      )}
      {release.may.includes('promote') && <OtherRelease release={release} shop={shop} />}
    </article>
  );
}

function FirstActions({ release }: { release: OpsRelease }) {
  const { t } = useTexts();
  const run = useRun();
  const { name, canary, target, may } = release;
  if (!may.includes(canary ? 'promote' : 'rollback')) return null;
  if (!canary)
    return (
      <RunButton kind="danger" disabled={!target} call={rollBack(release)}>
        {target ? t('rollBack', { version: target }) : t('noTarget')}
      </RunButton>
    );
  return (
    <fieldset className="list" aria-label={t('canaryOf', { name })}>
      <div className="row">
        <RunButton kind="danger" call={rollBack(release)}>
          {t('abandon')}
        </RunButton>
        <RunButton call={{ action: 'promote', name, version: canary.version }}>{t('finish')}</RunButton>
      </div>
      <div className="row dense">
        {SHARES.slice(0, -1).map((share) => (
          <Chip
            key={share}
            selected={share === canary.traffic}
            onClick={() => run({ action: 'promote', name, version: canary.version, traffic: share })}
          >
            <VisuallyHidden>{t('give', { name, share })}</VisuallyHidden>
            <span aria-hidden="true">{share} %</span>
          </Chip>
        ))}
      </div>
    </fieldset>
  );
}

/** Lists what a user has stopped, each with the button that resumes it. */
function Stopped({ release: { name, frozen, renderingOff, may } }: { release: OpsRelease }) {
  const { t } = useTexts();
  const stops: Array<{ text: string; call: ReleaseCall; resume: string | false }> = frozen.map((stop) => ({
    text: t('frozen', { version: stop.version ?? t('altogether'), by: stop.by, why: stop.why }),
    call: { action: 'unfreeze', name, version: stop.version ?? undefined },
    resume: may.includes('unfreeze') && t('unfreeze'),
  }));
  if (renderingOff)
    stops.push({
      text: t('renderingOff', { by: renderingOff.by, why: renderingOff.why }),
      call: { action: 'render-on', name },
      resume: may.includes('render-on') && t('renderOn'),
    });
  return stops.map(({ text, call, resume }) => (
    <div key={text} className="line">
      <p>{text}</p>
      {resume && (
        <RunButton size="s" call={call}>
          {resume}
        </RunButton>
      )}
    </div>
  ));
}

/** Shares of the visitors in the select, in per cent. */
const SHARES = [1, 5, 10, 25, 50, 100];

/** Promotes any published release, for all visitors or as a canary; freezes the name, and turns server rendering off. */
function OtherRelease({ release, shop }: { release: OpsRelease; shop: string }) {
  const { t } = useTexts();
  const { name, published, version, waiting, may } = release;
  /** The user's choice; until then the newest release is selected, also if a newer one arrives. */
  const [chosen, setChosen] = useState<string | null>(null);
  const [share, setShare] = useState(10);
  const picked = published.some((release) => release.version === chosen) ? chosen : (waiting ?? published[0]?.version);
  const versions = published.map((release) => ({
    value: release.version,
    label: [release.version, formatDate(release.at), ...(release.version === version ? [t('isLive')] : [])].join(' · '),
  }));
  const shares = SHARES.map((percent) => ({
    value: percent,
    label: percent === 100 ? t('everybody') : t('shareOf', { share: percent }),
  }));
  return (
    <details>
      <summary>{t('other')}</summary>
      <div className="list">
        <Select<string> label={t('versions', { name })} value={picked ?? ''} options={versions} onValue={setChosen} />
        <Select<number> label={t('share', { name })} value={share} options={shares} onValue={setShare} />
        <div className="row">
          {picked && (
            <>
              <RunButton call={{ action: 'promote', name, version: picked, traffic: share }}>{t('promote')}</RunButton>
              <a
                className="ui-button ui-button--secondary ui-button--m"
                href={`${shop}/home?release=${name}@${picked}`}
                target="_blank"
                rel="noreferrer"
              >
                {t('preview')}
              </a>
            </>
          )}
          {may.includes('freeze') && <RunButton call={{ action: 'freeze', name }}>{t('freeze')}</RunButton>}
          {may.includes('render-off') && version && !release.renderingOff && (
            <RunButton call={{ action: 'render-off', name }}>{t('renderOff')}</RunButton>
          )}
        </div>
      </div>
    </details>
  );
}

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

type HealthSectionProps = Pick<OpsRelease, 'name' | 'version' | 'health'> & { label: string; bound: number };

function HealthSection({ label, name, version, health, bound }: HealthSectionProps) {
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

function NextStep({ watched, canary }: OpsRelease) {
  const { t } = useTexts();
  if (!watched || !canary) return null;
  if (!watched.next) return watched.undecided && <p className="hint">{t('undecided', { wait: watched.undecided })}</p>;
  const { traffic, waitsFor } = watched.next;
  const steps = canary.steps?.map((stage) => (stage === canary.traffic ? `[${stage}]` : stage)).join(', ') ?? '';
  const wellText = waitsFor ? t('nextAfter', { share: traffic, wait: waitsFor }) : t('nextNow', { share: traffic });
  const next = watched.verdict === 'well' ? wellText : t('stays', { share: canary.traffic });
  return <p className="hint">{`${t('raised', { steps })} ${next}`}</p>;
}
