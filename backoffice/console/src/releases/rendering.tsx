import type { OpsRelease, RenderCounts } from '@shop/backoffice/wire';
import { Button } from '@shop/shared/ui';
import { useRun } from './acts-provider';
import { useTexts } from './texts';

/** What the server rendered of a release, and whether it does. */
export function Rendering({ release }: { release: OpsRelease }) {
  const { t } = useTexts();
  const run = useRun();
  const { name, renderingOff, rendering, may } = release;
  if (renderingOff) {
    return (
      <div className="line">
        <p>{t('renderingOff', { by: renderingOff.by, why: renderingOff.why })}</p>
        {may.includes('render-on') && (
          <Button kind="secondary" size="s" onClick={() => run({ act: 'render-on', name })}>
            {t('renderOn')}
          </Button>
        )}
      </div>
    );
  }
  if (rendering.length === 0) return null;
  return (
    <ul className="hint" aria-label={t('rendered', { name })}>
      {rendering.map((counts) => (
        <Counts key={counts.version} {...counts} />
      ))}
    </ul>
  );
}

function Counts({ version, pages, seconds, failures, detail }: RenderCounts) {
  const { t } = useTexts();
  const reasons = Object.entries(failures).map(([reason, count]) => `${reason} ${count}`);
  // A server that is busy says nothing about the release.
  const hasFailed = Object.keys(failures).some((reason) => reason !== 'busy');
  const mean = pages > 0 ? t('mean', { time: Math.round((seconds * 1000) / pages) }) : '';
  const missing = reasons.length > 0 ? t('notRendered', { reasons: reasons.join(', ') }) : '';
  return (
    <li className={hasFailed ? 'line is-poor' : 'line'} title={hasFailed ? detail : undefined}>
      <span>{t('renderedVersion', { version })}</span>
      <span>{`${t('pages', { count: pages })}${mean}${missing}`}</span>
    </li>
  );
}
