import '../texts';
import './youxi.css';
import { useTranslation } from '@shop/shared/i18n';
import { Button, Icon, type IconName } from '@shop/shared/ui';

const points: ReadonlyArray<{ icon: IconName; title: string; text: string }> = [
  { icon: 'bolt', title: 'youxi.fast', text: 'youxi.fastText' },
  { icon: 'shield', title: 'youxi.safe', text: 'youxi.safeText' },
  { icon: 'wallet', title: 'youxi.fair', text: 'youxi.fairText' },
];

/** Stands outside the layout, without bars: a door to the shop. */
export function Component() {
  const { t } = useTranslation('content');
  return (
    <main className="content-youxi">
      <section className="content-youxi__hero">
        <span className="content-youxi__mark">
          <Icon name="games" size={44} />
        </span>
        <h1>{t('youxi.title')}</h1>
        <p>{t('youxi.text')}</p>
        <div className="content-youxi__ways">
          <Button size="l" to="/home" kind="secondary">
            {t('youxi.enter')}
          </Button>
          <Button size="l" to="/goods" kind="ghost" className="content-youxi__quiet">
            {t('youxi.games')}
          </Button>
        </div>
      </section>
      <ul className="content-youxi__points" aria-label={t('youxi.points')}>
        {points.map((point) => (
          <li key={point.title}>
            <Icon name={point.icon} size={26} />
            <strong>{t(point.title)}</strong>
            <span>{t(point.text)}</span>
          </li>
        ))}
      </ul>
    </main>
  );
}
