import './receipt.css';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button } from '@shop/shared/ui';
import { type ReactNode, useId } from 'react';
import { useTexts } from './texts';

export interface ReceiptProps {
  /** `dl` elements with lines. They contain no code and no whole phone number. */
  children: ReactNode;
}

/** One sheet, to print or to save as PDF. */
export const Receipt = observer(function Receipt({ children }: ReceiptProps) {
  const { t } = useTexts();
  const { config } = useSession();
  const id = useId();
  return (
    <>
      <article className="receipt" aria-labelledby={id}>
        <header>
          <h2 id={id}>{t('title')}</h2>
          <p>{t('brand')}</p>
        </header>
        {children}
        <footer>
          <p>{t('notInvoice')}</p>
          {config?.copyright && <p>{config.copyright}</p>}
        </footer>
      </article>
      <Button className="receipt__print" block onClick={() => window.print()}>
        {t('print')}
      </Button>
    </>
  );
});

export interface ReceiptLineProps {
  label: string;
  total?: boolean;
  children: ReactNode;
}

export const ReceiptLine = ({ label, total, children }: ReceiptLineProps) => (
  <div className={total ? 'receipt__line receipt__line--total' : 'receipt__line'}>
    <dt>{label}</dt>
    <dd translate="no">{children}</dd>
  </div>
);
