import type { Language } from '@shop/shared/domain';
import { useHydrating } from '@shop/shared/routing';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button, Section } from '@shop/shared/ui';
import { useState } from 'react';
import { GoodsTiles } from '../common/goods-tiles';
import { storedList } from '../common/stored-list';
import { useTexts } from '../texts';

export interface SeenItem {
  id: number;
  image: string;
  names: Partial<Record<Language, string>>;
}

const isSeen = (value: unknown): value is SeenItem => {
  const { id, image, names } = (value ?? {}) as Partial<SeenItem>;
  return Number.isSafeInteger(id) && typeof image === 'string' && typeof names === 'object' && names !== null;
};

export const seenGoods = storedList('catalog.recently-seen', 12, isSeen);

export function rememberSeen(goods: { id: number; image: string; name: string }, language: Language): void {
  const seen = seenGoods.read();
  const names = { ...seen.find(({ id }) => id === goods.id)?.names, [language]: goods.name };
  seenGoods.write([{ id: goods.id, image: goods.image, names }, ...seen.filter(({ id }) => id !== goods.id)]);
}

export function nameOf({ names }: SeenItem, language: Language): string {
  return names[language] ?? Object.values(names).find((name) => typeof name === 'string') ?? '';
}

export const SeenGoods = observer(function SeenGoods({ except }: { except?: number }) {
  const { t } = useTexts();
  const { language } = useSession();
  const hydrating = useHydrating();
  const [cleared, setCleared] = useState(false);
  const shown = (cleared || hydrating ? [] : seenGoods.read()).filter(({ id }) => id !== except);
  if (shown.length === 0) return null;
  return (
    <Section
      title={t('seen.title')}
      action={
        <Button
          kind="ghost"
          size="s"
          onClick={() => {
            seenGoods.write([]);
            setCleared(true);
          }}
        >
          {t('seen.clear')}
        </Button>
      }
    >
      <GoodsTiles goods={shown.map((goods) => ({ ...goods, name: nameOf(goods, language) }))} />
    </Section>
  );
});
