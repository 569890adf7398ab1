import type { LoginBody, TokenAnswer } from '@shop/server/wire';
import { ErrorCode } from '@shop/shared/domain';
import { visibleText } from '@shop/shared/domain/plain-text';
import { Form, FormError, type FormikHelpers, PasswordField, SubmitButton, showFailure } from '@shop/shared/forms';
import { isApiError, post } from '@shop/shared/http';
import { linkTo } from '@shop/shared/links';
import { Link } from '@shop/shared/router';
import { observer } from '@shop/shared/state';
import { Checkbox, Tabs } from '@shop/shared/ui';
import { type ReactNode, useState } from 'react';
import { SignInIncomplete } from '../session/session.store';
import { type Shell, useShell } from '../shell-context';
import {
  type ChosenIdentifier,
  FormSwitch,
  IdentifierCodeField,
  IdentifierField,
  type IdentifierKind,
  identifierToSend,
} from './identifier-field';
import { codeLoginSchema, newPasswordSchema, passwordLoginSchema } from './login.schema';
import { messageKey, useTexts } from './texts';

interface FormOfDialog {
  identifier: ChosenIdentifier;
  onDone: () => void;
}

interface AccountFormProps extends FormOfDialog {
  intro: string;
  /** Rendered above the form. */
  tabs?: ReactNode;
  schema: Record<IdentifierKind, object>;
  send: (
    identifier: Awaited<ReturnType<typeof identifierToSend>>,
    proof: { password: string; verify: string },
  ) => Promise<TokenAnswer>;
  /** Message at the identifier for WrongCredentials, in place of the server's at the password. */
  unknown?: string;
  /** Absent for a form without agreements. */
  agreement?: { agreed: boolean; onChange: (agreed: boolean) => void };
  submitText: string;
  children: ReactNode;
  /** Leads to another form of the dialog. */
  other: ReactNode;
}

/** The forms show the refusals. */
const quiet = { quiet: true };
const login = (body: LoginBody) => post('/api/front/app/login', body, quiet);

/** A form whose answer signs in. */
function AccountForm(props: AccountFormProps): ReactNode {
  const { session } = useShell();
  const { identifier, intro, tabs, schema, send, unknown, agreement, onDone, submitText, children, other } = props;
  const { kind, typed } = identifier;
  return (
    <div className="shell-account">
      <p className="shell-account__intro ui-muted">{intro}</p>
      {tabs}
      <Form
        ns="shell"
        initialValues={{ ...typed, password: '', verify: '' }}
        schema={schema[kind]}
        onSubmit={async (values, helpers) => {
          try {
            await session.signIn(await send(await identifierToSend(kind, values), values));
            onDone();
          } catch (error) {
            showRefusal(error, helpers, kind, unknown);
          }
        }}
      >
        {children}
        {agreement && <Agreements {...agreement} />}
        <FormError />
        <SubmitButton disabled={agreement?.agreed === false}>{submitText}</SubmitButton>
        {other && <p className="shell-account__switch">{other}</p>}
      </Form>
    </div>
  );
}

const articles = [
  { path: linkTo('agreement'), text: 'login.agreement' },
  { path: linkTo('privacy'), text: 'login.privacy' },
  { path: linkTo('guide'), text: 'login.guide' },
] as const;

/** The agreements of signing in and registering. During a purchase the articles open in a new tab. */
const Agreements = observer(function Agreements({ agreed, onChange }: NonNullable<AccountFormProps['agreement']>) {
  const { t } = useTexts();
  const { overlays } = useShell();
  const link = overlays.isLoginToBuy
    ? { target: '_blank', rel: 'noopener' }
    : { onClick: () => overlays.closeAccount() };
  return (
    <Checkbox checked={agreed} onChange={onChange}>
      {t('login.agree')}
      {articles.map(({ path, text }, index) => (
        <span key={path}>
          {index > 0 && t(index === articles.length - 1 ? 'login.and' : 'login.comma')}
          <Link to={path} {...link}>
            {t(text)}
          </Link>
        </span>
      ))}
    </Checkbox>
  );
});

/** The field to which a refusal belongs. */
const fields: Record<number, 'identifier' | 'password' | 'verify'> = {
  [ErrorCode.WrongCredentials]: 'password',
  [ErrorCode.WeakPassword]: 'password',
  [ErrorCode.WrongVerificationCode]: 'verify',
  [ErrorCode.VerificationCodeExpired]: 'verify',
  [ErrorCode.VerificationCodeUsedUp]: 'verify',
  [ErrorCode.PhoneAlreadyRegistered]: 'identifier',
};

/** Shows the refusal at its field, or else above the button. */
function showRefusal<V>(error: unknown, helpers: FormikHelpers<V>, kind: IdentifierKind, unknown?: string): void {
  const incomplete = messageKey('login.incomplete');
  if (error instanceof SignInIncomplete) helpers.setStatus({ formError: incomplete });
  // A toast reports an answer without a token (session.store.ts).
  if (!isApiError(error)) return;
  const field = fields[error.code];
  if (unknown && error.code === ErrorCode.WrongCredentials) helpers.setStatus({ serverErrors: { [kind]: unknown } });
  else if (field && error.message)
    helpers.setStatus({ serverErrors: { [field === 'identifier' ? kind : field]: error.message } });
  else showFailure(error, helpers, incomplete);
}

type Mode = 'password' | 'verify';

export function LoginForm({ onForgotten, ...form }: FormOfDialog & { onForgotten: () => void }): ReactNode {
  const { t } = useTexts();
  const { session, overlays } = useShell();
  const { identifier } = form;
  const [mode, setMode] = useState<Mode>('verify');
  const [agreed, setAgreed] = useState(true);
  // A code registers a new user, so a buyer needs no second way to register.
  const offersRegister = !(overlays.isLoginToBuy && mode === 'verify');
  const modes: Array<{ key: Mode; label: string }> = [
    { key: 'verify', label: t('login.byCode') },
    { key: 'password', label: t('login.byPassword') },
  ];
  return (
    <AccountForm
      {...form}
      intro={t(introOf(overlays, session.expired, mode, identifier.kind))}
      tabs={<Tabs items={modes} value={mode} onChange={setMode} label={t('login.mode')} />}
      schema={mode === 'password' ? passwordLoginSchema : codeLoginSchema}
      send={(to, { password, verify }) =>
        login({ ...to, login_type: mode, ...(mode === 'password' ? { password } : { verify }) })
      }
      agreement={{ agreed, onChange: setAgreed }}
      submitText={t('login.submit')}
      other={
        offersRegister && (
          <>
            {t('login.noAccount')}{' '}
            <FormSwitch identifier={identifier} onSwitch={overlays.openRegister}>
              {t('register.title')}
            </FormSwitch>
          </>
        )
      }
    >
      <IdentifierField identifier={identifier} isName={mode === 'password'} />
      {mode === 'password' ? (
        <>
          <PasswordField
            name="password"
            label={t('login.password')}
            placeholder={t('login.passwordPlaceholder')}
            maxLength={64}
          />
          <FormSwitch identifier={identifier} className="shell-account__forgot" onSwitch={onForgotten}>
            {t('login.forgot')}
          </FormSwitch>
        </>
      ) : (
        <IdentifierCodeField kind={identifier.kind} scene="login" hint={t('login.codeHint')} submits={agreed} />
      )}
    </AccountForm>
  );
}

function introOf(
  { isLoginToBuy, addressAfterLogin }: Shell['overlays'],
  isExpired: boolean,
  mode: Mode,
  kind: IdentifierKind,
) {
  if (isLoginToBuy && mode === 'password') return 'login.introToBuyByPassword';
  if (isLoginToBuy) return kind === 'email' ? 'login.introToBuyByEmail' : 'login.introToBuy';
  if (isExpired) return 'login.introExpired';
  return addressAfterLogin ? 'login.introThen' : 'login.intro';
}

/** The identifier, the code that proves it, and the new password. */
function NewPasswordFields(props: { identifier: ChosenIdentifier; scene: 'register' | 'password' }): ReactNode {
  const { identifier, scene } = props;
  const { t } = useTexts();
  const isNew = scene === 'register';
  return (
    <>
      <IdentifierField identifier={identifier} isName />
      <IdentifierCodeField kind={identifier.kind} scene={scene} />
      <PasswordField
        name="password"
        label={t(isNew ? 'login.password' : 'forgotten.password')}
        placeholder={t(isNew ? 'login.passwordPlaceholder' : 'forgotten.passwordPlaceholder')}
        autoComplete="new-password"
        hint={t('register.passwordHint')}
      />
    </>
  );
}

export function RegisterForm(form: FormOfDialog): ReactNode {
  const { t } = useTexts();
  const { overlays } = useShell();
  const { identifier } = form;
  const [agreed, setAgreed] = useState(true);
  /** From the URL, and not displayed (docs/product.md#forms). */
  const [inviteCode] = useState(() =>
    visibleText(new URLSearchParams(window.location.search).get('invite_code') ?? ''),
  );
  return (
    <AccountForm
      {...form}
      intro={t(overlays.isLoginToBuy ? 'register.introToBuy' : 'register.intro')}
      schema={newPasswordSchema}
      send={(to, { password, verify }) =>
        post(
          '/api/front/app/register',
          { ...to, password, verify, ...(inviteCode && { invite_code: inviteCode }) },
          quiet,
        )
      }
      agreement={{ agreed, onChange: setAgreed }}
      submitText={t('register.title')}
      other={
        <>
          {t('register.hasAccount')}{' '}
          <FormSwitch identifier={identifier} onSwitch={overlays.backToLogin}>
            {t('login.submit')}
          </FormSwitch>
        </>
      }
    >
      <NewPasswordFields identifier={identifier} scene="register" />
    </AccountForm>
  );
}

/** Sets a forgotten password: a code proves the phone or address. */
export function NewPasswordForm({ onBack, ...form }: FormOfDialog & { onBack: () => void }): ReactNode {
  const { t } = useTexts();
  const { identifier } = form;
  return (
    <AccountForm
      {...form}
      intro={t('forgotten.intro')}
      schema={newPasswordSchema}
      send={async (to, { password, verify }) => {
        await post('/api/front/app/setPassword', { ...to, password, verify }, quiet);
        return login({ ...to, login_type: 'password', password });
      }}
      unknown={messageKey(identifier.kind === 'email' ? 'forgotten.unknownEmail' : 'forgotten.unknown')}
      submitText={t('forgotten.submit')}
      other={
        <FormSwitch identifier={identifier} onSwitch={onBack}>
          {t('forgotten.back')}
        </FormSwitch>
      }
    >
      <NewPasswordFields identifier={identifier} scene="password" />
    </AccountForm>
  );
}
