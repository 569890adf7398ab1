import { useSession } from '@shop/shared/session';
import { Button, confirm, toast } from '@shop/shared/ui';
import { useTexts } from '../texts';

export function SignOutButton() {
  const { t } = useTexts();
  const session = useSession();
  const signOut = async () => {
    const sure = await confirm({
      title: t('centre.signOutTitle'),
      content: t('centre.signOutContent'),
      confirmText: t('centre.signOut'),
    });
    if (!sure) return;
    // The session ends on this device even if the server cannot be reached.
    await session.logout();
    toast.success(t('centre.signedOutToast'));
  };
  return (
    <Button kind="secondary" block icon="logout" onClick={() => void signOut()}>
      {t('centre.signOut')}
    </Button>
  );
}
