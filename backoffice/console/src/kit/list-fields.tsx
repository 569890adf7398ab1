import { Button } from '@shop/shared/ui';
import { type ReactNode, useState } from 'react';
import { useFormState, useTexts } from './form';

interface ListFieldsProps<Row> {
  name: string;
  rows: readonly Row[];
  title(row: Row, index: number): string;
  /** Label of the button that adds an item, and the new item. Absent if the list is full or its items come from elsewhere. */
  add?: string;
  fresh?(): Row;
  movable?: boolean;
  /** Existing items show their titles only; an added item is open. */
  folded?: boolean;
  children(row: Row, path: string): ReactNode;
}

export function ListFields<Row>({ name, rows, title, add, fresh, movable, folded, children }: ListFieldsProps<Row>) {
  const { t } = useTexts();
  const { setAt } = useFormState();
  const [initialCount] = useState(rows.length);
  const moveUp = (index: number) => {
    const moved = [...rows];
    moved.splice(index - 1, 0, ...moved.splice(index, 1));
    setAt(name, moved);
  };
  return (
    <>
      {rows.map((row, index) => (
        // One that is folded opens when one of its fields has a fault (form.tsx).
        <details key={index} className="box" aria-label={title(row, index)} open={!folded || index >= initialCount}>
          <summary>{title(row, index)}</summary>
          <div className="stack">
            {children(row, `${name}.${index}`)}
            <div className="row">
              {movable && index > 0 && (
                <Button kind="secondary" icon="chevron-up" onClick={() => moveUp(index)}>
                  {t('up')}
                </Button>
              )}
              <Button kind="secondary" icon="trash" onClick={() => setAt(name, rows.toSpliced(index, 1))}>
                {t('remove')}
              </Button>
            </div>
          </div>
        </details>
      ))}
      {add && fresh && (
        <div>
          <Button kind="secondary" icon="plus" onClick={() => setAt(name, [...rows, fresh()])}>
            {add}
          </Button>
        </div>
      )}
    </>
  );
}
