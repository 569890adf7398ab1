import { useTexts } from '../texts';

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ#'];

interface LetterIndexProps {
  value: string | undefined;
  onChange: (letter: string | undefined) => void;
}

/** A to Z by the name's initial (pinyin for Chinese names); pressing the selected letter clears it. */
export function LetterIndex({ value, onChange }: LetterIndexProps) {
  const { t } = useTexts();
  return (
    <nav className="catalog-letters" aria-label={t('goodsList.letters')}>
      {letters.map((letter) => (
        <button
          key={letter}
          type="button"
          aria-pressed={value === letter}
          onClick={() => onChange(value === letter ? undefined : letter)}
        >
          {letter}
        </button>
      ))}
    </nav>
  );
}
