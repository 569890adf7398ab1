import './support-dialog.css';
import { observer } from '@shop/shared/state';
import { Picture, Sheet } from '@shop/shared/ui';
import { useShell } from '../shell-context';
import { useTexts } from './support-texts';

const SupportDialog = observer(function SupportDialog() {
  const { t } = useTexts();
  const { overlays, appConfig } = useShell();
  const config = appConfig.value;
  return (
    <Sheet open={overlays.supportVisible} onClose={overlays.closeSupport} title={t('support.title')}>
      <div className="shell-support">
        {config ? (
          <>
            <p>
              {t('support.hours')} <strong>{config.workTime}</strong>
            </p>
            {config.customerLink && (
              <a
                className="ui-button ui-button--primary ui-button--m ui-button--block"
                href={config.customerLink}
                target="_blank"
                rel="noopener noreferrer"
              >
                {t('support.link')}
              </a>
            )}
            {/* A phone cannot scan its own screen. */}
            <div className={config.customerLink ? 'shell-desktop' : undefined}>
              <Picture src={config.customerQrcode} alt={t('support.qrAlt')} width={180} height={180} lazy={false} />
              <p>{t('support.scan')}</p>
            </div>
          </>
        ) : (
          <p>{t('support.empty')}</p>
        )}
      </div>
    </Sheet>
  );
});
export default SupportDialog;
