import { Button, Checkbox, ErrorState } from '@shop/shared/ui';
import { useState } from 'react';
import { Section } from '../parts';
import { useTexts } from './texts';

/** The home page as guests have it now, in a phone's width: a picture of it, in which nothing runs and nothing can be pressed. */
export function HomeFrame() {
  const { t, language } = useTexts();
  const [isDark, setDark] = useState(() => document.documentElement.dataset.theme === 'dark');
  const [loads, setLoads] = useState(0);
  const [hasFailed, setFailed] = useState(false);
  const load = () => {
    setFailed(false);
    setLoads(loads + 1);
  };
  const address = `/staff/preview/home?${new URLSearchParams({ lang: language, theme: isDark ? 'dark' : 'light' })}`;
  return (
    <Section title={t('frame')}>
      <p className="hint">{t('frameHint')}</p>
      <div className="line">
        <Checkbox checked={isDark} onChange={setDark}>
          {t('frameDark')}
        </Checkbox>
        <Button kind="secondary" icon="refresh" onClick={load}>
          {t('frameAgain')}
        </Button>
      </div>
      <div className="phone">
        {hasFailed ? (
          <ErrorState onRetry={load} />
        ) : (
          <iframe
            // A new one each time: another address in the same frame would be a step of the browser's way back.
            key={`${address} ${loads}`}
            title={t('frameTitle')}
            src={address}
            sandbox="allow-same-origin"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: its arrow keys scroll it.
            tabIndex={0}
            onLoad={({ currentTarget }) => setFailed(!currentTarget.contentDocument?.getElementById('root'))}
          />
        )}
      </div>
    </Section>
  );
}
