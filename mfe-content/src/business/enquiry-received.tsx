import { linkTo } from '@shop/shared/links';
import { Button, Card, Icon } from '@shop/shared/ui';
import { useEffect, useRef } from 'react';
import { useTexts } from '../texts';
import type { Enquiry } from './business.schema';

export function EnquiryReceived({ enquiry, onAgain }: { enquiry: Enquiry; onAgain: () => void }) {
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
