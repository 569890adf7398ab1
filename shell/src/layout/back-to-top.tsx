import { Icon } from '@shop/shared/ui';
import { type ReactNode, useEffect, useState } from 'react';
import { useTexts } from '../texts';

/** Specification, sections 2 and 9. */
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
    const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    window.scrollTo({ top: 0, behavior: still ? 'auto' : 'smooth' });
    // The button goes away; the keyboard goes on at the top.
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  return (
    <>
      {/* Room below the page, so that its last rows can be scrolled clear of the button. */}
      <div className="shell-back-to-top__room" />
      {visible && (
        <button type="button" className="shell-back-to-top" aria-label={t('backToTop')} onClick={toTop}>
          <Icon name="chevron-up" />
        </button>
      )}
    </>
  );
}
