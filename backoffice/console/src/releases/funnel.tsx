import type { OpsRelease, OpsState, ReleaseHealth } from '@shop/backoffice/wire';
import { StepChart } from './charts';
import { percent, type ReleaseVersion } from './release-health';
import { type StepName, stepNames, useTexts } from './texts';

type Path = ReleaseHealth['funnel'][number];
const SHELL = 'shell';

const isKnown = (step: string): step is StepName => (stepNames as readonly string[]).includes(step);

function usePathName(): (path: string) => string {
  const { t } = useTexts();
  return (path) =>
    path
      .split('>')
      .map((step) => (isKnown(step) ? t(`step.${step}`) : step))
      .join(' → ');
}

function usePathText() {
  const { t } = useTexts();
  const nameOf = usePathName();
  return ({ path, visits, reached }: Path) =>
    t('funnel.share', { path: nameOf(path), share: percent(visits > 0 ? Math.min(1, reached / visits) : 0), visits });
}

/** How many of one version's visits get from one step to the next, over three hours. */
export function Funnel({ label, name, version, health }: ReleaseVersion) {
  const { t } = useTexts();
  const textOf = usePathText();
  if (!version || !health || health.funnel.length === 0) return null;
  return (
    <section className="list" aria-label={t('funnel.region', { label, release: `${name}@${version}` })}>
      {health.funnel.map((one) => (
        <div key={one.path} className="line">
          <span>{textOf(one)}</span>
          <PathChart path={one} />
        </div>
      ))}
    </section>
  );
}

function PathChart({ path, against }: Omit<FunnelRowProps, 'label'>) {
  const { t } = useTexts();
  const textOf = usePathText();
  return <StepChart series={path.series} against={against} label={t('funnel.chart', { text: textOf(path) })} />;
}

/** The funnel of all releases: each path, with the canary's below it on the same scale. */
export function FunnelRows({ state: { releases } }: { state: OpsState }) {
  const { t } = useTexts();
  // The shell is behind every page: its paths are those of all the others.
  const shown = releases.filter(({ name, canary }) => name !== SHELL || canary || releases.length === 1);
  const rows = shown.flatMap(({ name, health, healthCanary, canary }) =>
    (health?.funnel ?? []).map((path) => {
      const other = canary ? healthCanary?.funnel.find((one) => one.path === path.path) : undefined;
      return { key: `${name} ${path.path}`, path, share: canary?.traffic ?? 0, other };
    }),
  );
  return (
    <div>
      {rows.length > 0 && (
        <>
          <h2 className="hint">{t('overview.funnel')}</h2>
          <ul className="funnel-rows">
            {rows.map(({ key, path, share, other }) => (
              <li key={key}>
                <FunnelRow path={path} />
                {other && <FunnelRow path={other} label={t('health.canary', { share })} against={path.series} />}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

type FunnelRowProps = { path: Path; label?: string; against?: Path['series'] };

function FunnelRow({ path, label, against }: FunnelRowProps) {
  const nameOf = usePathName();
  return (
    <div className={label ? 'is-fair' : undefined}>
      <span>{label ?? nameOf(path.path)}</span>
      <span className="number">{percent(path.visits > 0 ? Math.min(1, path.reached / path.visits) : 0)}</span>
      <PathChart path={path} against={against} />
    </div>
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
