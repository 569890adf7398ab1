import { useTranslation } from '@shop/shared/i18n';
import { Icon } from '@shop/shared/ui';

/** What the shop stands for, in one strip under the banners. */
export function Promises() {
  const { t } = useTranslation('catalog');
  return (
    <ul className="catalog-promises" aria-label={t('home.promises')}>
      <li>
        <Icon name="bolt" size={18} />
        {t('home.promiseFast')}
      </li>
      <li>
        <Icon name="lock" size={18} />
        {t('home.promiseSafe')}
      </li>
      <li>
        <Icon name="support" size={18} />
        {t('home.promiseHelp')}
      </li>
    </ul>
  );
}
