import type { ExportBody } from '@shop/server/wire';
import { post } from '@shop/shared/http';
import { linkTo } from '@shop/shared/links';
import { Cell, CellGroup, Section, Sheet, toast } from '@shop/shared/ui';
import { useState } from 'react';
import { useTexts } from '../texts';
import { CloseSheet } from './close-sheet';
import { OwnProof } from './own-proof';

const requestExport = (body: ExportBody) => post('/api/front/user/export', body, { quiet: true });

/** An object, so that tests can spy on it. */
export const saveFile = {
  /** The browser streams the file to the disk, so it is never in this page's memory. */
  from(url: string): void {
    const link = document.createElement('a');
    link.href = url;
    link.download = '';
    link.click();
  },
};

function ExportSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTexts();
  return (
    <Sheet open={open} onClose={onClose} title={t('privacy.export')}>
      <div className="ui-stack ui-gap-4">
        <p className="ui-muted">{t('privacy.exportHint')}</p>
        <OwnProof
          label={t('privacy.export')}
          submitText={t('privacy.exportSubmit')}
          onProof={async (proof) => {
            const { url } = await requestExport(proof);
            saveFile.from(url);
            toast.success(t('privacy.exportStarted'));
            onClose();
          }}
        />
      </div>
    </Sheet>
  );
}

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
