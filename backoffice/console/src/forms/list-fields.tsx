import { Button } from '@shop/shared/ui';
import type { ReactNode } from 'react';
import { useFormState } from './form';
import { useTexts } from './texts';

interface ListFieldsProps<Row> {
  /** Path of the list. */
  name: string;
  rows: readonly Row[];
  title(row: Row, index: number): string;
  /** The button that adds one, and what it adds. Absent where there can be no more, or they come from elsewhere. */
  add?: string;
  fresh?(): Row;
  /** Their order can be changed. */
  movable?: boolean;
  children(row: Row, path: string): ReactNode;
}

/** A list in a form: each of it is a group of fields. */
export function ListFields<Row>({ name, rows, title, add, fresh, movable, children }: ListFieldsProps<Row>) {
  const { t } = useTexts();
  const { setAt } = useFormState();
  const moveUp = (index: number) => {
    const moved = [...rows];
    moved.splice(index - 1, 0, ...moved.splice(index, 1));
    setAt(name, moved);
  };
  return (
    <>
      {rows.map((row, index) => (
        <fieldset key={index} className="box">
          <legend>{title(row, index)}</legend>
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
        </fieldset>
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
