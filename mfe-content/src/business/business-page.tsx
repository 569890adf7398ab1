import '../texts';
import './business.css';
import {
  applyServerErrors,
  Form,
  FormError,
  type FormikHelpers,
  SelectField,
  SubmitButton,
  TextAreaField,
  TextField,
} from '@shop/shared/forms';
import { ApiError } from '@shop/shared/http';
import { useTranslation } from '@shop/shared/i18n';
import { Button, Card, Icon, type IconName, PageBody } from '@shop/shared/ui';
import { useEffect, useRef, useState } from 'react';
import { addEnquiry } from './business.api';
import { businessSchema, longest } from './business.schema';

const empty = { company: '', contact: '', phone: '', email: '', type: '', content: '' };
type Enquiry = typeof empty;
const tooMany = 42901;

const kinds = [
  { value: 'distribution', text: 'type.distribution' },
  { value: 'license', text: 'type.license' },
  { value: 'brand', text: 'type.brand' },
  { value: 'procurement', text: 'type.procurement' },
  { value: 'other', text: 'type.other' },
] as const;
const reasons: ReadonlyArray<{ icon: IconName; title: string; text: string }> = [
  { icon: 'globe', title: 'business.reach', text: 'business.reachText' },
  { icon: 'shield', title: 'business.license', text: 'business.licenseText' },
  { icon: 'star', title: 'business.brand', text: 'business.brandText' },
];

export function Component() {
  const { t } = useTranslation('content');
  const [isDone, setDone] = useState(false);
  return (
    <PageBody className="content-business">
      <section className="content-business__pitch">
        <h2 className="content-business__title">{t('business.title')}</h2>
        <p>{t('business.intro')}</p>
        <ul aria-label={t('business.why')}>
          {reasons.map((reason) => (
            <li key={reason.title}>
              <Icon name={reason.icon} size={22} />
              <span>
                <strong>{t(reason.title)}</strong>
                <span>{t(reason.text)}</span>
              </span>
            </li>
          ))}
        </ul>
      </section>
      <Card padding="l">
        {isDone ? <Done onAnother={() => setDone(false)} /> : <Enquiry onDone={() => setDone(true)} />}
      </Card>
    </PageBody>
  );
}

function Enquiry({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('content');
  const submit = async (values: Enquiry, helpers: FormikHelpers<Enquiry>) => {
    const { email, ...rest } = businessSchema.cast(values) as Enquiry;
    try {
      await addEnquiry(email ? { ...rest, email } : rest);
      onDone();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (applyServerErrors(error, helpers)) return;
      const fallback = t(error.code === tooMany ? 'business.tooMany' : 'business.failed');
      helpers.setStatus({ formError: error.kind === 'network' ? fallback : error.message || fallback });
    }
  };
  return (
    <Form initialValues={empty} schema={businessSchema} onSubmit={submit} ns="content">
      <TextField
        name="company"
        label={t('business.company')}
        placeholder={t('business.companyHint')}
        autoComplete="organization"
        maxLength={longest.company}
      />
      <TextField name="contact" label={t('business.contact')} autoComplete="name" maxLength={longest.contact} />
      <TextField
        name="phone"
        label={t('business.phone')}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        maxLength={longest.phone}
      />
      <TextField
        name="email"
        label={t('business.email')}
        type="email"
        inputMode="email"
        autoComplete="email"
        maxLength={longest.email}
      />
      <SelectField
        name="type"
        label={t('business.type')}
        options={kinds.map((kind) => ({ value: kind.value, label: t(kind.text) }))}
      />
      <TextAreaField
        name="content"
        label={t('business.content')}
        placeholder={t('business.contentHint')}
        maxLength={longest.content}
        rows={5}
      />
      <FormError />
      <SubmitButton>{t('business.submit')}</SubmitButton>
    </Form>
  );
}

function Done({ onAnother }: { onAnother: () => void }) {
  const { t } = useTranslation('content');
  const title = useRef<HTMLHeadingElement>(null);
  // The form with the focus in it is gone.
  useEffect(() => title.current?.focus(), []);
  return (
    <div className="content-business__done" role="status">
      <span className="content-business__mark">
        <Icon name="check" size={32} />
      </span>
      <h2 ref={title} tabIndex={-1}>
        {t('business.doneTitle')}
      </h2>
      <p>{t('business.doneText')}</p>
      <Button to="/home">{t('business.home')}</Button>
      <Button kind="ghost" onClick={onAnother}>
        {t('business.another')}
      </Button>
    </div>
  );
}
