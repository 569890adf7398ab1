import { api } from '../api';
import { hasDrafts } from '../drafts';
import { ActionButton, ActionForm } from '../kit/action-form';
import type { FieldSpec } from '../kit/fields';
import { useMe } from '../session';
import { type Key, useTexts } from '../texts';
import { currentPassword, newPassword } from './sign-in-page';

const fields: FieldSpec<{ current: string; password: string }, Key>[] = [
  { name: 'current', label: 'password.current', ...currentPassword },
  { name: 'password', label: 'password.next', hint: 'password.hint', ...newPassword },
];

export function AccountPage({ onSignOut }: { onSignOut(): void }) {
  const { t } = useTexts();
  const me = useMe();
  const question = { title: t('signOutAsk'), confirmText: t('signOut'), danger: true };
  return (
    <>
      <h1>{t('nav.account')}</h1>
      <section className="card row">
        <p>
          <strong>{me.name}</strong> · {t(`role.${me.role}`)}
        </p>
        <ActionButton icon="logout" question={hasDrafts() ? question : undefined} action={async () => onSignOut()}>
          {t('signOut')}
        </ActionButton>
      </section>
      <ActionForm
        className="card narrow"
        title={t('password.title')}
        layout="list"
        fields={fields}
        t={t}
        start={{ current: '', password: '' }}
        submit={t('password.title')}
        done={t('password.done')}
        onSubmit={(values) => api('POST password', values)}
      />
    </>
  );
}
