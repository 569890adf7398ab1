import { ErrorCode } from '@shop/shared/domain';
import { isApiError, newIdempotencyKey } from '@shop/shared/http';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button, Spinner, toast } from '@shop/shared/ui';
import { useRef, useState } from 'react';
import { updateUser, uploadAvatar } from '../account.api';
import { Avatar } from '../common/avatar';
import { useTexts } from '../texts';
import { checkAvatar, maxAvatarBytes } from './avatar-file';

const size = maxAvatarBytes / 1024 / 1024;

export const AvatarCell = observer(function AvatarCell() {
  const { t } = useTexts();
  const session = useSession();
  const input = useRef<HTMLInputElement>(null);
  const busyNow = useRef(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const { user } = session;

  const change = async (file: File) => {
    if (busyNow.current) return;
    busyNow.current = true;
    setBusy(true);
    setProblem('');
    try {
      const checked = await checkAvatar(file);
      if (checked.problem) return setProblem(t(checked.problem, { size }));
      const avatar = await uploadAvatar(checked.blob, checked.extension, newIdempotencyKey());
      await updateUser({ avatar });
      toast.success(t('setting.avatarSaved'));
      await session.refreshUser().catch(() => {});
    } catch (error) {
      // Signed out meanwhile: the shell has taken over.
      if (isApiError(error, ErrorCode.Unauthorized)) return;
      setProblem((isApiError(error, ErrorCode.InvalidInput) && error.message) || t('setting.errors.uploadFailed'));
    } finally {
      busyNow.current = false;
      setBusy(false);
    }
  };

  return (
    <div className="account-stack">
      <div className="account-row">
        <Avatar src={user?.avatar ?? ''} name={user?.nickname || t('centre.noName')} />
        <div className="account-grow">
          <Button kind="secondary" icon="camera" loading={busy} onClick={() => input.current?.click()}>
            {t('setting.changeAvatar')}
          </Button>
          <p className="account-muted">{t('setting.avatarHint')}</p>
        </div>
        {busy ? <Spinner label={t('setting.uploading')} /> : null}
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept="image/jpeg,image/png,image/webp"
        aria-label={t('setting.avatar')}
        onChange={(event) => {
          const file = event.target.files?.[0];
          // The same file again, after a failure, must be a change as well.
          event.target.value = '';
          if (file) void change(file);
        }}
      />
      {problem ? (
        <p className="account-error" role="alert">
          {problem}
        </p>
      ) : null}
    </div>
  );
});
