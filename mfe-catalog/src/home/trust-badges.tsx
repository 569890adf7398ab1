import { Icon } from '@shop/shared/ui';
import { useTexts } from '../texts';

export function TrustBadges() {
  const { t } = useTexts();
  return (
    <ul className="catalog-trust-badges" aria-label={t('home.trustBadges')}>
      <li>
        <Icon name="bolt" size={18} />
        {t('home.trustFast')}
      </li>
      <li>
        <Icon name="lock" size={18} />
        {t('home.trustSafe')}
      </li>
      <li>
        <Icon name="support" size={18} />
        {t('home.trustHelp')}
      </li>
    </ul>
  );
}
