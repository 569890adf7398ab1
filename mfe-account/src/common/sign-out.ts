import type { Session } from '@shop/shared/session';
import { confirm, toast } from '@shop/shared/ui';
import type { Translate } from '../texts';

/** The session forgets the user even when the server cannot be told. */
export async function signOut(session: Session, t: Translate): Promise<void> {
  const sure = await confirm({
    title: t('centre.signOutTitle'),
    content: t('centre.signOutContent'),
    confirmText: t('centre.signOut'),
    cancelText: t('common.cancel'),
  });
  if (!sure) return;
  await session.logout();
  toast.success(t('centre.signedOutToast'));
}
