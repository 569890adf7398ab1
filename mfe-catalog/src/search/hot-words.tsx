import { Chip, Section, Skeleton } from '@shop/shared/ui';
import { useTexts } from '../texts';

interface HotWordsProps {
  words: string[] | undefined;
  failed: boolean;
  onSearch: (word: string) => void;
}

const places = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

export function HotWords({ words, failed, onSearch }: HotWordsProps) {
  const { t } = useTexts();
  if (failed || words?.length === 0) return null;
  return (
    <Section title={t('search.hot')}>
      <div className="catalog-words ui-row ui-gap-2 ui-wrap">
        {words
          ? words.map((word) => (
              <Chip key={word} selected={false} onClick={() => onSearch(word)}>
                {word}
              </Chip>
            ))
          : places.map((place) => <Skeleton key={place} shape="block" width="84px" height="44px" />)}
      </div>
    </Section>
  );
}
