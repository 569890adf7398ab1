import { ErrorCode } from '@shop/shared/domain';
import {
  Form,
  FormError,
  type FormikHelpers,
  formMessage,
  OwnCodeField,
  object,
  PasswordField,
  ref,
  SubmitButton,
  showFailure,
  string,
} from '@shop/shared/forms';
import { isApiError, post } from '@shop/shared/http';
import { linkTo } from '@shop/shared/links';
import { useNavigate } from '@shop/shared/router';
import { useShown } from '@shop/shared/routing';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Card, PageBody, Section, Segmented, Skeleton, toast } from '@shop/shared/ui';
import { useState } from 'react';
import { messageKey, useTexts } from '../texts';
import '../account.css';

const password = string()
  .required(formMessage('password.required'))
  .min(8, messageKey('security.errors.passwordLength'))
  .max(32, messageKey('security.errors.passwordLength'));
const confirm = string()
  .required(messageKey('security.errors.confirmRequired'))
  .oneOf([ref('password')], messageKey('security.errors.confirmDiffers'));

const byOldPasswordSchema = object({
  old_password: string().required(messageKey('security.errors.oldRequired')),
  password: password.notOneOf([ref('old_password')], messageKey('security.errors.passwordSame')),
  confirm,
});

const byCodeSchema = object({
  verify: string()
    .required(formMessage('code.required'))
    .matches(/^\d{6}$/, { message: messageKey('security.errors.codeFormat'), excludeEmptyString: true }),
  password,
  confirm,
});

const empty = { old_password: '', verify: '', password: '', confirm: '' };
const fieldOfCode: Record<number, keyof typeof empty> = {
  [ErrorCode.WrongCredentials]: 'old_password',
  [ErrorCode.WrongVerificationCode]: 'verify',
  [ErrorCode.VerificationCodeExpired]: 'verify',
  [ErrorCode.VerificationCodeUsedUp]: 'verify',
  [ErrorCode.WeakPassword]: 'password',
};

export const Component = observer(function PasswordPage() {
  const { t } = useTexts();
  const session = useSession();
  const navigate = useNavigate();
  const shown = useShown();
  const [chosen, setChosen] = useState<'old' | 'code'>('old');
  const { user } = session;
  if (!user) {
    return (
      <PageBody narrow>
        <Skeleton shape="card" height={440} />
      </PageBody>
    );
  }
  const by = user.hasPassword ? chosen : 'code';

  const submit = async (values: typeof empty, helpers: FormikHelpers<typeof empty>) => {
    try {
      const proof = by === 'old' ? { old_password: values.old_password } : { verify: values.verify };
      await post('/api/front/app/setPassword', { ...proof, password: values.password }, { quiet: true });
    } catch (error) {
      const field = isApiError(error) ? fieldOfCode[error.code] : undefined;
      if (isApiError(error) && field) {
        const text = error.code === ErrorCode.WrongCredentials ? t('security.errors.oldWrong') : error.message;
        helpers.setStatus({ serverErrors: { [field]: text || t('common.networkFailed') } });
      } else showFailure(error, helpers, messageKey('common.networkFailed'));
      return;
    }
    toast.success(t('security.done'));
    // The password is set even if this call fails.
    await session.refreshUser().catch(() => {});
    if (shown.current) navigate(linkTo('setting'), { replace: true });
  };

  return (
    <PageBody narrow className="ui-stack ui-gap-4">
      <Section title={t(user.hasPassword ? 'security.changeTitle' : 'security.setTitle')}>
        <Card className="ui-stack ui-gap-4">
          <p className="ui-muted">
            {t(user.hasPassword ? 'security.changeHint' : user.phone ? 'security.setHint' : 'security.setHintEmail')}
          </p>
          {user.hasPassword ? (
            <Segmented
              label={t('security.by')}
              value={by}
              onChange={setChosen}
              options={[
                { value: 'old', label: t('security.oldPassword') },
                { value: 'code', label: t('security.byCode') },
              ]}
            />
          ) : null}
          <Form
            key={by}
            ns="account"
            className="account-form"
            aria-label={t('security.newPassword')}
            initialValues={empty}
            schema={by === 'old' ? byOldPasswordSchema : byCodeSchema}
            onSubmit={submit}
          >
            {by === 'old' ? (
              <PasswordField name="old_password" label={t('security.oldPassword')} maxLength={128} />
            ) : (
              <OwnCodeField purpose="password" />
            )}
            <PasswordField
              name="password"
              label={t('security.newPassword')}
              hint={t('security.newPasswordHint')}
              autoComplete="new-password"
              maxLength={64}
            />
            <PasswordField
              name="confirm"
              label={t('security.confirmPassword')}
              autoComplete="new-password"
              maxLength={64}
            />
            <FormError />
            <SubmitButton>{t('security.submit')}</SubmitButton>
          </Form>
        </Card>
      </Section>
      <Section title={t('security.tips')}>
        <Card as="ul" className="ui-muted">
          <li>{t('security.tipOwn')}</li>
          <li>{t('security.tipCode')}</li>
          {user.hasPassword ? <li>{t('security.tipForgot')}</li> : null}
        </Card>
      </Section>
    </PageBody>
  );
});
