import { useEffect, useState } from 'react';
import { api, whenCodeNeeded } from '../api';
import { FormDialog } from '../kit/action-form';
import { useTexts } from '../texts';
import { authenticatorCode, digitsOf } from './authenticator-code';

/** Asks for a code of the authenticator app when a call needs a fresh one. The call is repeated afterwards. */
export function FreshCodeDialog() {
  const { t } = useTexts();
  const [answer, setAnswer] = useState<((isProved: boolean) => void) | null>(null);
  useEffect(() => whenCodeNeeded(() => new Promise((resolve) => setAnswer(() => resolve))), []);
  if (!answer) return null;
  const close = (isProved: boolean) => {
    setAnswer(null);
    answer(isProved);
  };
  return (
    <FormDialog
      title={t('freshCode.title')}
      fields={[authenticatorCode]}
      t={t}
      start={{ code: '' }}
      onceRefused={{ code: '' }}
      submit={t('freshCode.submit')}
      onClose={() => close(false)}
      onSubmit={async ({ code }) => {
        await api('POST session/code', { code: digitsOf(code) });
        close(true);
      }}
    >
      <p className="hint">{t('freshCode.text')}</p>
    </FormDialog>
  );
}
