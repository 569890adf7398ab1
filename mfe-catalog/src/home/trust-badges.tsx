import { useTranslation } from '@shop/shared/i18n';
import { Icon } from '@shop/shared/ui';

/** What the shop stands for, in one strip under the banners. */
export function TrustBadges() {
  const { t } = useTranslation('catalog');
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
