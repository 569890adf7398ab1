import type { StaffAuthenticator, StaffInvited } from '@shop/backoffice/wire';
import { ErrorCode } from '@shop/shared/domain';
import { useQuery } from '@shop/shared/query';
import { Button, CopyButton, ErrorState } from '@shop/shared/ui';
import { useState } from 'react';
import { api, StaffApiError } from '../api';
import { ActionForm } from '../kit/action-form';
import type { FieldSpec } from '../kit/fields';
import { Fault, Loading } from '../kit/parts';
import { type Key, useTexts } from '../texts';
import { authenticatorCode, digitsOf, newPassword } from './sign-in-page';

export function SetupPage({ token, onDone }: { token: string; onDone(): void }) {
  const { t } = useTexts();
  const { data, error, refetch } = useQuery({
    queryKey: ['setup', token],
    queryFn: () => api('POST setup/read', { token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data) return <Setup token={token} invited={data} onDone={onDone} />;
  return (
    <main className="stack sign-in">
      {error instanceof StaffApiError ? (
        <section className="card narrow">
          <h1>{t('setup.title')}</h1>
          <Fault>{error.message}</Fault>
          <p>
            <a href="/staff">{t('signIn.title')}</a>
          </p>
        </section>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </main>
  );
}

interface SetupValues {
  name: string;
  password: string;
  repeated: string;
}

const fieldsOf = (isNamed: boolean): FieldSpec<SetupValues, Key>[] => [
  {
    name: 'name',
    label: 'signIn.name',
    hint: isNamed ? undefined : 'setup.nameHint',
    readOnly: isNamed,
    autoComplete: 'username',
    pattern: '\\s*[\\p{L}\\p{N}][\\p{L}\\p{N} ._\\-]{0,39}',
    required: true,
  },
  { name: 'password', label: 'signIn.password', hint: 'password.hint', ...newPassword },
  { name: 'repeated', label: 'setup.again', ...newPassword },
];

function Setup({ token, invited, onDone }: { token: string; invited: StaffInvited; onDone(): void }) {
  const { t } = useTexts();
  const [chosen, setChosen] = useState<SetupValues>({ name: invited.name ?? '', password: '', repeated: '' });
  const [authenticator, setAuthenticator] = useState<StaffAuthenticator | null>(null);
  const bodyOf = ({ name, password }: SetupValues) => ({
    token,
    ...(invited.name === null && { name: name.trim() }),
    password,
  });
  const choose = async (input: SetupValues) => {
    if (input.password !== input.repeated) throw new StaffApiError(ErrorCode.InvalidInput, t('setup.differ'), null);
    setAuthenticator(await api('POST setup/authenticator', bodyOf(input)));
    setChosen(input);
  };
  const finish = async ({ code }: { code: string }) => {
    await api('POST setup', { ...bodyOf(chosen), code: digitsOf(code) });
    onDone();
  };
  const form = { t, layout: 'stack', block: true };
  return (
    <main className="stack sign-in">
      {authenticator ? (
        <ActionForm
          {...form}
          key="scan"
          title={
            <>
              <h1 ref={focus} tabIndex={-1}>
                {t('setup.scan')}
              </h1>
              <p>{t('setup.scanHint')}</p>
              <Authenticator {...authenticator} />
            </>
          }
          fields={[authenticatorCode]}
          start={{ code: '' }}
          onceRefused={{ code: '' }}
          submit={t('setup.finish')}
          onSubmit={finish}
          more={() => (
            <Button kind="ghost" block onClick={() => setAuthenticator(null)}>
              {t('setup.back')}
            </Button>
          )}
        />
      ) : (
        <ActionForm
          {...form}
          title={
            <>
              <h1>{t('setup.title')}</h1>
              <p>{t('setup.as', { role: t(`role.${invited.role}`) })}</p>
            </>
          }
          fields={fieldsOf(invited.name !== null)}
          start={chosen}
          onceSent={{}}
          submit={t('setup.next')}
          onSubmit={choose}
        />
      )}
    </main>
  );
}

/** The heading of the next step takes the focus, because the focused button is gone. */
const focus = (heading: HTMLElement | null) => heading?.focus();

function Authenticator({ address, qr }: StaffAuthenticator) {
  const { t } = useTexts();
  const secret = new URL(address).searchParams.get('secret') ?? '';
  const dark = [...qr.fields].flatMap((field, index) =>
    field === '1' ? `M${index % qr.size} ${Math.floor(index / qr.size)}h1v1h-1z` : [],
  );
  return (
    <>
      <svg className="qr" viewBox={`-4 -4 ${qr.size + 8} ${qr.size + 8}`} role="img" aria-label={t('setup.qr')}>
        <path d={dark.join('')} />
      </svg>
      <p className="row">
        {t('setup.secret')} <code className="secret">{secret.replace(/.{4}(?=.)/g, '$& ')}</code>
        <CopyButton text={secret} label={t('copy')} />
      </p>
      <p>
        <a href={address}>{t('setup.open')}</a>
      </p>
    </>
  );
}
