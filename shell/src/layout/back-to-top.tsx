import './back-to-top.css';
import { Icon } from '@shop/shared/ui';
import { type ReactNode, useEffect, useState } from 'react';
import { useTexts } from '../texts';

/** docs/product.md#layout */
const visibleFromPx = 200;
const throttleMs = 100;

export function BackToTop(): ReactNode {
  const { t } = useTexts();
  const [visible, setVisible] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const check = () => {
      timer = undefined;
      setVisible(window.scrollY >= visibleFromPx);
    };
    const onScroll = () => {
      timer ??= setTimeout(check, throttleMs);
    };
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      clearTimeout(timer);
      window.removeEventListener('scroll', onScroll);
    };
  }, []);
  const toTop = () => {
    const reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    window.scrollTo({ top: 0, behavior: reducedMotion ? 'auto' : 'smooth' });
    // The button disappears together with its focus.
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  return (
    <>
      {/* Space at the end of the page, so that the button does not cover its last rows. */}
      <div className="shell-phone shell-back-to-top__space" />
      {visible && (
        <button type="button" className="shell-back-to-top" aria-label={t('backToTop')} onClick={toTop}>
          <Icon name="chevron-up" />
        </button>
      )}
    </>
  );
}
