import { Button } from '@shop/shared/ui';
import { type ReactNode, useState } from 'react';
import { useFormState } from './form';
import { useTexts } from './forms-texts';

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
        <Group key={index} title={title(row, index)} folds={folded} isOpen={index >= initialCount}>
          {children(row, `${name}.${index}`)}
          <div className="row">
            {movable && index > 0 && (
              <Button kind="secondary" icon="chevron-up" onClick={() => moveUp(index)}>
                {t('up')}
              </Button>
            )}
            <Button
              kind="secondary"
              icon="trash"
              onClick={() =>
                setAt(
                  name,
                  rows.filter((_one, at) => at !== index),
                )
              }
            >
              {t('remove')}
            </Button>
          </div>
        </Group>
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

interface GroupProps {
  title: string;
  folds?: boolean;
  isOpen: boolean;
  children: ReactNode;
}

/** A folded group opens when one of its fields has a fault (form.tsx). */
function Group({ title, folds, isOpen, children }: GroupProps) {
  if (!folds)
    return (
      <fieldset className="box">
        <legend>{title}</legend>
        {children}
      </fieldset>
    );
  return (
    <details className="box" aria-label={title} open={isOpen}>
      <summary>{title}</summary>
      <div className="stack">{children}</div>
    </details>
  );
}
