import { Button, Chip, Section } from '@shop/shared/ui';
import { useTexts } from '../texts';

interface SearchHistoryProps {
  words: string[];
  onSearch: (word: string) => void;
  onClear: () => void;
}

export function SearchHistory({ words, onSearch, onClear }: SearchHistoryProps) {
  const { t } = useTexts();
  if (words.length === 0) return null;
  return (
    <Section
      title={t('search.history')}
      action={
        <Button kind="ghost" size="s" onClick={onClear}>
          {t('search.clear')}
        </Button>
      }
    >
      <div className="catalog-words ui-row ui-gap-2 ui-wrap">
        {words.map((word) => (
          <Chip key={word} selected={false} onClick={() => onSearch(word)}>
            {word}
          </Chip>
        ))}
      </div>
    </Section>
  );
}
