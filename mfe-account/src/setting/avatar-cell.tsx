import type { UploadAnswer } from '@shop/server/wire';
import { ErrorCode } from '@shop/shared/domain';
import { get, isApiError, newIdempotencyKey, put } from '@shop/shared/http';
import { useSingleFlight } from '@shop/shared/payment';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button, Spinner, toast } from '@shop/shared/ui';
import { useRef, useState } from 'react';
import { updateUser } from '../account.api';
import { Avatar } from '../common/avatar';
import { useTexts } from '../texts';
import { checkAvatar, maxAvatarBytes } from './avatar-file';

const size = maxAvatarBytes / 1024 / 1024;

async function uploadAvatar(file: Blob, extension: string): Promise<string> {
  // The content security policy allows only the shop's own origin, so the upload goes through it.
  const { relay } = await get('/api/front/oss/getStsToken', undefined, { quiet: true });
  const host = relay.host.replace(/\/+$/, '');
  const answer = await put<UploadAnswer>(`${host}/${relay.dir}${newIdempotencyKey()}.${extension}`, file, {
    'Content-Type': file.type,
    'x-security-token': relay.security_token,
  });
  return answer.url;
}

export const AvatarCell = observer(function AvatarCell() {
  const { t } = useTexts();
  const session = useSession();
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState('');
  const { user } = session;

  const upload = useSingleFlight(async (file: File) => {
    setProblem('');
    try {
      const checked = await checkAvatar(file);
      if (checked.problem) return setProblem(t(checked.problem, { size }));
      const avatar = await uploadAvatar(checked.blob, checked.extension);
      await updateUser({ avatar });
      toast.success(t('setting.avatarSaved'));
      await session.refreshUser().catch(() => {});
    } catch (error) {
      if (isApiError(error, ErrorCode.Unauthorized)) return;
      setProblem((isApiError(error, ErrorCode.InvalidInput) && error.message) || t('setting.errors.uploadFailed'));
    }
  });

  return (
    <div className="ui-stack ui-gap-4">
      <div className="account-row ui-row">
        <Avatar src={user?.avatar ?? ''} name={user?.nickname || t('centre.noName')} />
        <div className="ui-grow ui-stack ui-gap-2 account-start">
          <Button kind="secondary" icon="camera" loading={upload.isPending} onClick={() => input.current?.click()}>
            {t('setting.changeAvatar')}
          </Button>
          <p className="ui-muted">{t('setting.avatarHint')}</p>
        </div>
        {upload.isPending ? <Spinner label={t('setting.uploading')} /> : null}
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept="image/jpeg,image/png,image/webp"
        aria-label={t('setting.avatar')}
        onChange={(event) => {
          const file = event.target.files?.[0];
          // The same file can be chosen again after a failure.
          event.target.value = '';
          if (file) void upload.run(file);
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
