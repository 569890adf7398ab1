import { Icon, IconButton } from '@shop/shared/ui';
import { useState } from 'react';
import { useTexts } from '../texts';

export function OrderSearch({ keyword, onSearch }: { keyword: string; onSearch: (keyword: string) => void }) {
  const { t } = useTexts();
  const [text, setText] = useState(keyword);
  return (
    // biome-ignore lint/a11y/useSemanticElements: older engines, jsdom among them, do not know <search>
    <form
      role="search"
      aria-label={t('list.search')}
      className="orders-search ui-row ui-gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(text.trim());
      }}
    >
      <Icon name="search" size={18} className="orders-search__icon" />
      <input
        type="search"
        enterKeyHint="search"
        className="orders-search__input"
        aria-label={t('list.search')}
        placeholder={t('list.searchHint')}
        maxLength={60}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {text !== '' && (
        <IconButton
          icon="close"
          size={16}
          label={t('list.clear')}
          onClick={() => {
            setText('');
            if (keyword) onSearch('');
          }}
        />
      )}
    </form>
  );
}
