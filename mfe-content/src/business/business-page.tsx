import { Icon, type IconName, PageBody } from '@shop/shared/ui';
import { useState } from 'react';
import { useTexts } from '../texts';
import type { Enquiry } from './business.schema';
import { EnquiryForm } from './enquiry-form';
import { EnquiryReceived } from './enquiry-received';
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

const ways = [
  { icon: 'gift', title: 'business.types.supply', text: 'business.supplyText' },
  { icon: 'bolt', title: 'business.types.channel', text: 'business.channelText' },
  { icon: 'star', title: 'business.types.marketing', text: 'business.marketingText' },
] as const satisfies ReadonlyArray<{ icon: IconName; title: string; text: string }>;

function BusinessLead() {
  const { t } = useTexts();
  return (
    <section className="content-business__lead ui-stack" aria-labelledby="content-business-lead">
      <h2 id="content-business-lead" className="content-business__title">
        {t('business.lead')}
      </h2>
      <p className="content-business__text">{t('business.leadText')}</p>
      <ul className="content-business__ways ui-stack" aria-label={t('business.why')}>
        {ways.map(({ icon, title, text }) => (
          <li key={title} className="content-business__way ui-row">
            <span className="content-business__icon ui-tone--accent">
              <Icon name={icon} size={20} />
            </span>
            <span>
              <strong>{t(title)}</strong>
              <span>{t(text)}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
