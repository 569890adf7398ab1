import { useHydrating } from '@shop/shared/routing';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button, Section } from '@shop/shared/ui';
import { useState } from 'react';
import { GoodsTiles } from '../common/goods-tiles';
import { useTexts } from '../texts';
import { nameOf, seenGoods } from './recently-seen';

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
