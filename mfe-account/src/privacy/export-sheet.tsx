import { Sheet, toast } from '@shop/shared/ui';
import { useTexts } from '../texts';
import { OwnProof } from './own-proof';
import { requestExport } from './privacy.api';
import { saveFile } from './save-file';

export function ExportSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
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
