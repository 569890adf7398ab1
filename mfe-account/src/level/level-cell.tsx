import { useQuery } from '@shop/shared/query';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Cell, CellGroup } from '@shop/shared/ui';
import { useState } from 'react';
import { useTexts } from '../texts';
import { levelsQuery } from './level.queries';
import { LevelSheet } from './level-sheet';

/** The shopper's level; nothing in a shop without levels. */
export const LevelCell = observer(function LevelCell() {
  const { t } = useTexts();
  const session = useSession();
  const [open, setOpen] = useState(false);
  const { data: levels = [] } = useQuery(levelsQuery);
  if (levels.length === 0 || !session.hasToken) return null;
  return (
    <>
      <CellGroup>
        <Cell icon="shield" title={t('level.title')} onClick={() => setOpen(true)} arrow />
      </CellGroup>
      <LevelSheet open={open} onClose={() => setOpen(false)} levels={levels} />
    </>
  );
});
