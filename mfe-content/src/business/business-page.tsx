import { linkTo } from '@shop/shared/links';
import { Button, Card, Icon, PageBody } from '@shop/shared/ui';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../texts';
import { type Enquiry, EnquiryForm } from './enquiry-form';
import './business.css';

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
