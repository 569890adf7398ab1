import { Button } from '@shop/shared/ui';
import { useState } from 'react';
import { useApi } from '../api';
import { Field, faultText } from '../kit/parts';
import { useTexts } from './texts';

const MOST_SHOWN = 8;

export function GoodsChoice({ label, onChoose }: { label: string; onChoose(key: string): void }) {
  const { t, language } = useTexts();
  const [text, setText] = useState('');
  const words = text.trim();
  const { data, error } = useApi('GET goods', { q: words, page: 1 }, { enabled: words !== '' });
  const matches = words === '' ? [] : (data?.list.slice(0, MOST_SHOWN) ?? []);
  return (
    <div className="list">
      <Field
        label={label}
        hint={t('choice.hint')}
        type="search"
        value={text}
        onValue={setText}
        maxLength={60}
        autoComplete="off"
        onKeyDown={(event) => {
          // Enter must not submit the surrounding form.
          if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault();
        }}
      />
      <div className="row" aria-live="polite">
        {matches.map(({ key, name }) => (
          <Button
            key={key}
            kind="secondary"
            onClick={() => {
              onChoose(key);
              setText('');
            }}
          >
            {name[language]} · {key}
          </Button>
        ))}
        {words !== '' && error && <span className="fault">{faultText(error)}</span>}
        {words !== '' && data?.list.length === 0 && <span className="hint">{t('choice.none')}</span>}
      </div>
    </div>
  );
}
