import type { OpsRelease, OpsState } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { Button, Chip, Tag, VisuallyHidden } from '@shop/shared/ui';
import { finishCanary, promoteRelease, rollBack } from './actions';
import { useRun } from './actions-provider';
import { OtherRelease, SHARES } from './other-release';
import { HealthSection, NextStep, stateOf } from './release-health';
import { useTexts } from './texts';

export function ReleaseCard({ release, bound, shop }: { release: OpsRelease } & Pick<OpsState, 'bound' | 'shop'>) {
  const { t } = useTexts();
  const { name, version, canary } = release;
  const { text, tone, fault } = stateOf(release, bound);
  return (
    <article className="card" aria-label={name}>
      <div className="line">
        <h3>{name}</h3>
        <Tag tone={tone}>{text}</Tag>
      </div>
      {fault && <p className="is-poor">{fault}</p>}
      <FirstActions release={release} />
      <Origin release={release} />
      <Frozen release={release} />
      <RenderingOff release={release} />
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
  const { canary, target, may } = release;
  if (canary) return may.includes('promote') ? <CanaryActions release={release} canary={canary} /> : null;
  if (!may.includes('rollback')) return null;
  return (
    <Button kind="danger" disabled={!target} onClick={() => run(rollBack(release))}>
      {target ? t('rollBack', { version: target }) : t('noTarget')}
    </Button>
  );
}

function CanaryActions({ release, canary }: { release: OpsRelease; canary: NonNullable<OpsRelease['canary']> }) {
  const { t } = useTexts();
  const run = useRun();
  const { name } = release;
  return (
    <fieldset className="list" aria-label={t('canaryOf', { name })}>
      <div className="row">
        <Button kind="danger" onClick={() => run(rollBack(release))}>
          {t('abandon')}
        </Button>
        <Button kind="secondary" onClick={() => run(finishCanary(release, canary))}>
          {t('finish')}
        </Button>
      </div>
      <div className="row dense">
        {SHARES.slice(0, -1).map((share) => (
          <Chip
            key={share}
            selected={share === canary.traffic}
            onClick={() => run(promoteRelease(release, canary.version, share))}
          >
            <VisuallyHidden>{t('give', { name, share })}</VisuallyHidden>
            <span aria-hidden="true">{share} %</span>
          </Chip>
        ))}
      </div>
    </fieldset>
  );
}

function Origin({ release }: { release: OpsRelease }) {
  const { t } = useTexts();
  const { version, canary, since, by, commit } = release;
  const state = canary ? t('onlyCanary') : t('notPromoted');
  return (
    <div className="hint">
      <p>{version ? t('since', { at: formatDate(since), by: by ?? '' }) : state}</p>
      {commit && <p>{t('commit', { commit: commit.slice(0, 12) })}</p>}
    </div>
  );
}

function Frozen({ release }: { release: OpsRelease }) {
  const { t } = useTexts();
  const run = useRun();
  const { name, frozen, may } = release;
  return frozen.map(({ version, by, why }) => (
    <div key={version} className="line">
      <p>{t('frozen', { version: version ?? t('altogether'), by, why })}</p>
      {may.includes('unfreeze') && (
        <Button
          kind="secondary"
          size="s"
          onClick={() => run({ call: { action: 'unfreeze', name, version: version ?? undefined } })}
        >
          {t('unfreeze')}
        </Button>
      )}
    </div>
  ));
}

function RenderingOff({ release: { name, renderingOff, may } }: { release: OpsRelease }) {
  const { t } = useTexts();
  const run = useRun();
  if (!renderingOff) return null;
  return (
    <div className="line">
      <p>{t('renderingOff', { by: renderingOff.by, why: renderingOff.why })}</p>
      {may.includes('render-on') && (
        <Button kind="secondary" size="s" onClick={() => run({ call: { action: 'render-on', name } })}>
          {t('renderOn')}
        </Button>
      )}
    </div>
  );
}
