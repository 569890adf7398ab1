/** Receipts of orders and top-ups. Each importer bundles them, so they are not in the shell's first script. */
import './receipt.css';
import { createTexts } from '@shop/shared/i18n';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button } from '@shop/shared/ui';
import { type ReactNode, useId } from 'react';

const { useTexts } = createTexts('receipt', {
  title: ['收据', 'Receipt'],
  brand: ['星点', 'Stardot'],
  print: ['打印或存为 PDF', 'Print or save as PDF'],
  notInvoice: ['本收据用于核对，不作为发票。', 'For your records; not a tax invoice.'],
});

/** One sheet, to print or to save as PDF. Its children are `dl` elements with lines, without codes and whole phone numbers. */
export const Receipt = observer(function Receipt({ children }: { children: ReactNode }) {
  const { t } = useTexts();
  const { config } = useSession();
  const id = useId();
  return (
    <>
      <article className="ui-card receipt ui-stack ui-gap-4" aria-labelledby={id}>
        <header className="ui-row ui-gap-2 ui-wrap ui-spread">
          <h2 id={id}>{t('title')}</h2>
          <p>{t('brand')}</p>
        </header>
        {children}
        <footer className="ui-muted">
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

export const ReceiptLine = ({ label, total, children }: { label: string; total?: boolean; children: ReactNode }) => (
  <div className={total ? 'receipt__line receipt__line--total' : 'receipt__line'}>
    <dt>{label}</dt>
    <dd translate="no">{children}</dd>
  </div>
);
