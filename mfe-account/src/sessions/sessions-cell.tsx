import { linkTo } from '@shop/shared/links';
import { Cell } from '@shop/shared/ui';
import { useTexts } from '../texts';

/** Leads from the settings to the devices. */
export function SessionsCell() {
  const { t } = useTexts();
  return <Cell icon="phone" title={t('sessions.title')} to={linkTo('sessions')} />;
}
