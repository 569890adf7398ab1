import { invalidate } from '@shop/shared/query';
import { Checkbox, ErrorState, toast } from '@shop/shared/ui';
import { useEffect, useState } from 'react';
import { api, useApi } from '../api';
import { useAct } from '../parts';
import { mayUse, useMe } from '../session';
import { forgetBrowser, pushSupport, subscribeBrowser } from './browser-push';
import { useTexts } from './texts';

/** Pushes to this browser, switched by one press; nothing where the shop sends none. Last on its page, so that it moves nothing. */
export function PushSection() {
  const { t, language } = useTexts();
  const me = useMe();
  const { data, error, refetch } = useApi('GET push', {});
  const [support, setSupport] = useState(pushSupport);
  const { busy, act } = useAct();
  const { key = null, here = false } = data ?? {};
  const change = async (isOn: boolean) => {
    await act(async () => {
      if (isOn && key) {
        const subscription = await subscribeBrowser(key).catch(() => void toast.error(t('failed')));
        if (subscription) await api('POST push', subscription);
      } else {
        await api('DELETE push');
        await forgetBrowser();
      }
      await invalidate(['push']);
    });
    setSupport(pushSupport());
  };
  // Somebody who reads the console in another language now is told in it.
  const isOtherLanguage = here && data?.language !== language;
  useEffect(() => {
    if (isOtherLanguage && pushSupport() === 'ready' && Notification.permission === 'granted') void change(true);
  }, [isOtherLanguage]);

  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!key) return null;
  const [orders, stock] = [mayUse(me, 'seller'), mayUse(me, 'stock')];
  return (
    <section className="card narrow" aria-labelledby="push-title">
      <h2 id="push-title">{t('title')}</h2>
      <Checkbox
        checked={here}
        disabled={busy || (support !== 'ready' && !here)}
        aria-describedby="push-hint"
        onChange={(isOn) => void change(isOn)}
      >
        {t('here')}
      </Checkbox>
      <p className="hint" id="push-hint" role="status">
        {support === 'ready'
          ? `${t(orders && stock ? 'both' : orders ? 'orders' : 'stock')} ${t('until')}`
          : t(support === 'none' ? 'unsupported' : 'blocked')}
      </p>
    </section>
  );
}
