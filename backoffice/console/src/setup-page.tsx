import type { StaffAuthenticator, StaffInvited } from '@shop/server/wire';
import { useQuery } from '@shop/shared/query';
import { Button, CopyButton, ErrorState } from '@shop/shared/ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { api, StaffApiError } from './api';
import { AuthenticatorCodeField } from './authenticator-code-field';
import { Fault, Field, Loading, useFormAct } from './parts';
import { useTexts } from './texts';

/** Where a one-time address leads: the person chooses a password, takes the authenticator's secret, and is signed in. */
export function SetupPage({ token, onDone }: { token: string; onDone(): void }) {
  const { t } = useTexts();
  const { data, error, refetch } = useQuery({
    queryKey: ['setup', token],
    queryFn: () => api('POST setup/read', { token }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data) return <Setup token={token} invited={data} onDone={onDone} />;
  return (
    <main className="sign-in">
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

function Setup({ token, invited, onDone }: { token: string; invited: StaffInvited; onDone(): void }) {
  const { t } = useTexts();
  const [values, setValues] = useState({ name: invited.name ?? '', password: '', again: '', code: '' });
  const [authenticator, setAuthenticator] = useState<StaffAuthenticator | null>(null);
  const [differs, setDiffers] = useState(false);
  const { busy, fault, act } = useFormAct();
  const set = (key: keyof typeof values) => (value: string) => setValues((before) => ({ ...before, [key]: value }));
  const choice = {
    token,
    ...(invited.name === null && { name: values.name.trim() }),
    password: values.password,
  };
  const choose = async () => {
    setDiffers(values.password !== values.again);
    if (values.password !== values.again) return;
    await act(async () => setAuthenticator(await api('POST setup/authenticator', choice)));
  };
  const finish = async () => {
    const done = await act(() => api('POST setup', { ...choice, code: values.code.replace(/\D/g, '') }));
    if (done) onDone();
    else set('code')('');
  };

  if (!authenticator)
    return (
      <Step title={t('setup.title')} onSubmit={choose}>
        <p>{t('setup.as', { role: t(`role.${invited.role}`) })}</p>
        <Field
          label={t('signIn.name')}
          value={values.name}
          onValue={set('name')}
          readOnly={invited.name !== null}
          hint={invited.name === null ? t('setup.nameHint') : undefined}
          autoComplete="username"
          pattern="\s*[\p{L}\p{N}][\p{L}\p{N} ._\-]{0,39}"
          required
        />
        {(['password', 'again'] as const).map((key) => (
          <Field
            key={key}
            label={key === 'password' ? t('signIn.password') : t('setup.again')}
            hint={key === 'password' ? t('password.hint') : undefined}
            type="password"
            value={values[key]}
            onValue={set(key)}
            autoComplete="new-password"
            minLength={12}
            maxLength={64}
            required
          />
        ))}
        {(differs || fault) && <Fault>{differs ? t('setup.differ') : fault}</Fault>}
        <Button type="submit" block loading={busy}>
          {t('setup.next')}
        </Button>
      </Step>
    );
  return (
    <Step key="scan" title={t('setup.scan')} focus onSubmit={finish}>
      <p>{t('setup.scanHint')}</p>
      <Authenticator {...authenticator} />
      <AuthenticatorCodeField value={values.code} onValue={set('code')} />
      {fault && <Fault>{fault}</Fault>}
      <Button type="submit" block loading={busy}>
        {t('setup.finish')}
      </Button>
      <Button kind="ghost" block disabled={busy} onClick={() => setAuthenticator(null)}>
        {t('setup.back')}
      </Button>
    </Step>
  );
}

interface StepProps {
  title: string;
  /** The button that had the focus is gone. */
  focus?: boolean;
  onSubmit(): Promise<void>;
  children: ReactNode;
}

function Step({ title, focus, onSubmit, children }: StepProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focus) heading.current?.focus();
  }, [focus]);
  return (
    <main className="sign-in">
      <form
        className="card"
        onSubmit={(event) => {
          event.preventDefault();
          void onSubmit();
        }}
      >
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children}
      </form>
    </main>
  );
}

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
