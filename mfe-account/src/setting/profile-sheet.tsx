import type { UpdateUserBody } from '@shop/server/wire';
import { ErrorCode } from '@shop/shared/domain';
import { emailPattern } from '@shop/shared/domain/email';
import { Form, FormError, formMessage, object, SubmitButton, string, TextField } from '@shop/shared/forms';
import { isApiError } from '@shop/shared/http';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { confirm, notify, Sheet, toast } from '@shop/shared/ui';
import { updateUser } from '../account.api';
import { messageKey, useTexts } from '../texts';

/** Counts code points, as the server does: an emoji is one character. */
const within = (max: number) => (text: string | undefined) => [...(text ?? '')].length <= max;
const today = () => new Date().toISOString().slice(0, 10);

const nicknameSchema = object({
  nickname: string()
    .trim()
    .required(messageKey('setting.errors.nicknameRequired'))
    .test('length', messageKey('setting.errors.nicknameLong'), within(32)),
});
const emailSchema = object({
  email: string()
    .trim()
    .max(120, messageKey('setting.errors.emailLong'))
    .matches(emailPattern, { message: formMessage('email.format'), excludeEmptyString: true }),
});
const birthdaySchema = object({
  birthday: string()
    .matches(/^\d{4}-\d{2}-\d{2}$/, { message: messageKey('setting.errors.birthday'), excludeEmptyString: true })
    .test('past', messageKey('setting.errors.birthdayFuture'), (value) => !value || value <= today()),
});
const realNameSchema = object({
  name: string()
    .trim()
    .required(messageKey('setting.errors.nameRequired'))
    .test('length', messageKey('setting.errors.nameLong'), within(40))
    .matches(/^[\p{L}\p{M} .·•'’-]+$/u, { message: messageKey('setting.errors.nameFormat'), excludeEmptyString: true }),
  id_card_code: string()
    .trim()
    .required(messageKey('setting.errors.idCardRequired'))
    .matches(/^\d{17}[\dXx]$/, { message: messageKey('setting.errors.idCardFormat'), excludeEmptyString: true }),
});

export type ProfileField = 'nickname' | 'email' | 'birthday' | 'realName';

const schemas = { nickname: nicknameSchema, email: emailSchema, birthday: birthdaySchema, realName: realNameSchema };

export const ProfileSheet = observer(function ProfileSheet(props: { field: ProfileField | null; onClose: () => void }) {
  const { field, onClose } = props;
  const { t } = useTexts();
  const session = useSession();
  const user = session.user;
  if (!field || !user) return null;
  const initialValues: Record<string, string> =
    field === 'realName' ? { name: '', id_card_code: '' } : { [field]: user[field] };

  const submit = async (values: Record<string, string>) => {
    const body = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()]));
    if (body.id_card_code) body.id_card_code = body.id_card_code.toUpperCase();
    if (field === 'realName' && !(await confirm({ title: t('setting.realNameConfirm') }))) return;
    await updateUser(body as UpdateUserBody).catch((error: unknown) => {
      if (!isApiError(error)) throw error;
      const isShown = error.code === ErrorCode.Unauthorized || error.code === ErrorCode.Forbidden;
      if (error.message && !isShown && Object.keys(error.fieldErrors).length === 0) notify.danger(error.message);
      throw error;
    });
    toast.success(t(field === 'realName' ? 'setting.realNameDone' : 'setting.saved'));
    onClose();
    await session.refreshUser().catch(() => {});
  };

  return (
    <Sheet open onClose={onClose} title={t(`setting.${field}`)}>
      <Form
        ns="account"
        aria-label={t(`setting.${field}`)}
        initialValues={initialValues}
        schema={schemas[field]}
        onSubmit={submit}
      >
        {field === 'nickname' ? (
          <TextField name="nickname" label={t('setting.nickname')} autoComplete="nickname" maxLength={64} />
        ) : field === 'email' ? (
          <TextField name="email" label={t('setting.email')} type="email" inputMode="email" autoComplete="email" />
        ) : field === 'birthday' ? (
          <TextField name="birthday" label={t('setting.birthday')} type="date" autoComplete="bday" />
        ) : (
          <>
            <p className="ui-muted">{t('setting.realNameHint')}</p>
            <TextField name="name" label={t('setting.name')} autoComplete="name" />
            <TextField name="id_card_code" label={t('setting.idCard')} autoComplete="off" maxLength={18} />
          </>
        )}
        <FormError />
        <SubmitButton>{t('common.save')}</SubmitButton>
      </Form>
    </Sheet>
  );
});
