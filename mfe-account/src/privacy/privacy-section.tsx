import { linkTo } from '@shop/shared/links';
import { Cell, CellGroup, Section } from '@shop/shared/ui';
import { useState } from 'react';
import { useTexts } from '../texts';
import { CloseSheet } from './close-sheet';
import { ExportSheet } from './export-sheet';

/** Of the settings: the copy of one's own data, and the end of the account. */
export function PrivacySection() {
  const { t } = useTexts();
  const [open, setOpen] = useState<'export' | 'close' | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <Section title={t('privacy.title')}>
        <CellGroup>
          <Cell icon="copy" title={t('privacy.export')} onClick={() => setOpen('export')} />
          <Cell icon="shield" title={t('privacy.policy')} to={linkTo('privacy')} />
          <Cell icon="trash" title={t('privacy.close')} onClick={() => setOpen('close')} />
        </CellGroup>
      </Section>
      <ExportSheet open={open === 'export'} onClose={close} />
      <CloseSheet open={open === 'close'} onClose={close} />
    </>
  );
}
