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
import { Button, Card, Icon, PageBody } from '@shop/shared/ui';
import { useEffect, useRef, useState } from 'react';
import { messageKey, useTexts } from '../texts';
import './business.css';

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
type Enquiry = InferType<typeof enquirySchema>;

const emptyEnquiry = { company: '', contact: '', phone: '', email: '', type: '', content: '' };
type EnquiryValues = typeof emptyEnquiry;

export function Component() {
  const [received, setReceived] = useState<Enquiry | null>(null);
  return (
    <PageBody>
      <div className="content-business ui-stack ui-gap-5">
        <BusinessLead />
        {received ? (
          <EnquiryReceived enquiry={received} onAgain={() => setReceived(null)} />
        ) : (
          <EnquiryForm onReceived={setReceived} />
        )}
      </div>
    </PageBody>
  );
}

function BusinessLead() {
  const { t } = useTexts();
  return (
    <section className="content-business__lead ui-stack" aria-labelledby="content-business-lead">
      <h2 id="content-business-lead" className="content-business__title">
        {t('business.lead')}
      </h2>
      <p className="content-business__text">{t('business.leadText')}</p>
    </section>
  );
}

function EnquiryReceived({ enquiry, onAgain }: { enquiry: Enquiry; onAgain: () => void }) {
  const { t } = useTexts();
  const heading = useRef<HTMLHeadingElement>(null);
  // The focused submit button is gone, so the focus moves here.
  useEffect(() => heading.current?.focus(), []);
  return (
    <Card as="section" padding="l" className="content-received ui-stack" aria-labelledby="content-received">
      <span className="content-received__mark ui-tone--success">
        <Icon name="check" size={36} />
      </span>
      <h2 id="content-received" ref={heading} tabIndex={-1} className="content-received__title">
        {t('business.doneTitle')}
      </h2>
      <p className="content-received__text">
        {t('business.doneText', { contact: enquiry.contact, phone: enquiry.phone })}
      </p>
      <div className="content-received__ways ui-row ui-wrap">
        <Button to={linkTo('home')}>{t('business.home')}</Button>
        <Button kind="secondary" onClick={onAgain}>
          {t('business.again')}
        </Button>
      </div>
    </Card>
  );
}

function EnquiryForm({ onReceived }: { onReceived: (enquiry: Enquiry) => void }) {
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
