import type { OpsRelease, ReleaseHealth } from '@shop/backoffice/wire';
import { StepChart } from './charts';
import { percent, type ReleaseVersion } from './release-health';
import { type StepName, stepNames, useTexts } from './texts';

type Path = ReleaseHealth['funnel'][number];

const isKnown = (step: string): step is StepName => (stepNames as readonly string[]).includes(step);

function usePathName(): (path: string) => string {
  const { t } = useTexts();
  return (path) =>
    path
      .split('>')
      .map((step) => (isKnown(step) ? t(`step.${step}`) : step))
      .join(' → ');
}

/** How many of one version's visits get from one step to the next, over three hours. */
export function Funnel({ label, name, version, health }: ReleaseVersion) {
  const { t } = useTexts();
  const nameOf = usePathName();
  if (!version || !health || health.funnel.length === 0) return null;
  const textOf = ({ path, visits, reached }: Path) =>
    t('funnel.share', { path: nameOf(path), share: percent(visits > 0 ? Math.min(1, reached / visits) : 0), visits });
  return (
    <section className="list" aria-label={t('funnel.region', { label, release: `${name}@${version}` })}>
      {health.funnel.map((one) => (
        <div key={one.path} className="line">
          <span>{textOf(one)}</span>
          <StepChart series={one.series} label={t('funnel.chart', { text: textOf(one) })} />
        </div>
      ))}
    </section>
  );
}

/** What the rules say of a canary, compared with an equal part of the others. */
export function StepVerdicts({ watched }: OpsRelease) {
  const { t } = useTexts();
  const nameOf = usePathName();
  if (!watched || watched.steps.length === 0) return null;
  return (
    <div className="list">
      <ul className="hint" aria-label={t('funnel.verdicts')}>
        {watched.steps.map(({ path, verdict, dryRun, text }) => (
          <li key={path}>
            <span className={{ good: 'is-good', bad: 'is-poor', inconclusive: 'is-fair' }[verdict]}>
              {t('funnel.verdict', { path: nameOf(path), verdict: t(`verdict.${verdict}`) })}
            </span>
            {dryRun && t('funnel.dryRun')}
            <p>{text}</p>
          </li>
        ))}
      </ul>
      {watched.undecided && !watched.next && <p className="hint">{t('funnel.waits', { wait: watched.undecided })}</p>}
    </div>
  );
}
