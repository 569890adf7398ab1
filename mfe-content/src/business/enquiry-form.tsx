import { emailPattern } from '@shop/shared/domain/email';
import {
  Form,
  FormError,
  type FormikHelpers,
  formMessage,
  type InferType,
  object,
  SelectField,
  SubmitButton,
  showFailure,
  string,
  TextField,
} from '@shop/shared/forms';
import { post } from '@shop/shared/http';
import { linkTo } from '@shop/shared/links';
import { Link } from '@shop/shared/router';
import { Card } from '@shop/shared/ui';
import { messageKey, useTexts } from '../texts';

/** The same limits as the server's (BusinessAddBodySchema), in characters. */
const limits = { company: 80, contact: 40, phone: 24, email: 120, content: 2000 } as const;

/** The server accepts any word here. */
const enquiryTypes = ['supply', 'channel', 'marketing', 'other'] as const;

const tooLong = (max: number) => formMessage(`text.tooLong?max=${max}`);
/** Counts code points, as the server does: an emoji is one character. */
const within = (max: number) => (text: string | undefined) => [...(text ?? '')].length <= max;
const line = (max: number) =>
  string().trim().required(formMessage('text.required')).test('length', tooLong(max), within(max));

const enquirySchema = object({
  company: line(limits.company),
  contact: line(limits.contact),
  phone: string()
    .trim()
    .required(formMessage('text.required'))
    .max(limits.phone, tooLong(limits.phone))
    .matches(/^(?=(?:\D*\d){5})[0-9+() -]+$/, messageKey('business.phoneFormat')),
  email: string()
    .trim()
    .max(limits.email, tooLong(limits.email))
    .matches(emailPattern, { message: formMessage('email.format'), excludeEmptyString: true }),
  type: string().oneOf(enquiryTypes, formMessage('select.required')).required(formMessage('select.required')),
  content: line(limits.content),
});
export type Enquiry = InferType<typeof enquirySchema>;

const emptyEnquiry = { company: '', contact: '', phone: '', email: '', type: '', content: '' };
type EnquiryValues = typeof emptyEnquiry;

export function EnquiryForm({ onReceived }: { onReceived: (enquiry: Enquiry) => void }) {
  const { t } = useTexts();
  const submit = async (values: EnquiryValues, helpers: FormikHelpers<EnquiryValues>) => {
    const enquiry = enquirySchema.cast(values);
    try {
      await post('/api/front/business/add', { ...enquiry, email: enquiry.email || undefined }, { quiet: true });
      onReceived(enquiry);
    } catch (error) {
      showFailure(error, helpers, messageKey('business.failed'));
    }
  };
  return (
    <Card as="section" padding="l" aria-labelledby="content-business-form">
      <h2 id="content-business-form" className="content-business__form-title">
        {t('business.form')}
      </h2>
      <Form
        ns="content"
        className="content-business__form"
        initialValues={emptyEnquiry}
        schema={enquirySchema}
        onSubmit={submit}
      >
        <TextField
          name="company"
          label={t('business.company')}
          hint={t('business.companyHint')}
          autoComplete="organization"
          maxLength={limits.company}
        />
        <div className="content-business__pair">
          <TextField
            name="contact"
            label={t('business.contact')}
            hint={t('business.contactHint')}
            autoComplete="name"
            maxLength={limits.contact}
          />
          <TextField
            name="phone"
            label={t('business.phone')}
            hint={t('business.phoneHint')}
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            maxLength={limits.phone}
          />
        </div>
        <div className="content-business__pair">
          <TextField
            name="email"
            label={t('business.email')}
            type="email"
            inputMode="email"
            autoComplete="email"
            maxLength={limits.email}
          />
          <SelectField
            name="type"
            label={t('business.type')}
            options={enquiryTypes.map((type) => ({ value: type, label: t(`business.types.${type}`) }))}
          />
        </div>
        <TextField
          name="content"
          label={t('business.content')}
          hint={t('business.contentHint')}
          rows={6}
          maxLength={limits.content}
        />
        <p className="content-business__note ui-hint">
          {t('business.privacy')} <Link to={linkTo('privacy')}>{t('business.privacyLink')}</Link>
        </p>
        <FormError />
        <SubmitButton>{t('business.submit')}</SubmitButton>
      </Form>
    </Card>
  );
}
