import {
  Form,
  FormError,
  type FormikHelpers,
  SelectField,
  SubmitButton,
  showFailure,
  TextField,
} from '@shop/shared/forms';
import { post } from '@shop/shared/http';
import { linkTo } from '@shop/shared/links';
import { Link } from '@shop/shared/router';
import { Card } from '@shop/shared/ui';
import { messageKey, useTexts } from '../texts';
import { type Enquiry, type EnquiryValues, emptyEnquiry, enquirySchema, enquiryTypes, limits } from './business.schema';

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
