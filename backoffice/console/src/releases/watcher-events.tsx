import type { FailingWebhook, OpsState } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { useTexts } from './texts';

export function WatcherEvents({ events }: { events: NonNullable<OpsState['events']> }) {
  const { t } = useTexts();
  if (events.length === 0) return <p className="hint">{t('nothingYet')}</p>;
  return (
    <ul className="list">
      {events.map(({ id, at, kind, name, version, why }) => (
        <li key={id} className="card dense">
          <p className="line">
            <strong>{t(`event.${kind}`, { name: name === '*' ? t('everything') : name })}</strong>
            <span className="hint">{formatDate(at)}</span>
          </p>
          <code className="hint">{version}</code>
          <p>{why}</p>
        </li>
      ))}
    </ul>
  );
}

export function FailingWebhooks({ failing }: { failing: FailingWebhook[] }) {
  const { t } = useTexts();
  return failing.map(({ place, messages, since, error }) => (
    <p key={place} className="card fault" role="alert">
      {t('webhook', { place, count: messages, since: formatDate(since), error })}
    </p>
  ));
}
