import { Button } from '@shop/shared/ui';
import { type ReactNode, useState } from 'react';
import { useFormState } from './form';
import { useTexts } from './forms-texts';

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
  /** Those that are there show their titles only; one that is added is open. */
  folded?: boolean;
  children(row: Row, path: string): ReactNode;
}

/** A list in a form: each of it is a group of fields. */
export function ListFields<Row>({ name, rows, title, add, fresh, movable, folded, children }: ListFieldsProps<Row>) {
  const { t } = useTexts();
  const { setAt } = useFormState();
  const [known] = useState(rows.length);
  const moveUp = (index: number) => {
    const moved = [...rows];
    moved.splice(index - 1, 0, ...moved.splice(index, 1));
    setAt(name, moved);
  };
  return (
    <>
      {rows.map((row, index) => (
        <Group key={index} title={title(row, index)} folds={folded} isOpen={index >= known}>
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

/** What is wrong in one that is folded opens it (form.tsx). */
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
