import type { ShownState } from '@shop/backoffice/wire';
import { invalidate } from '@shop/shared/query';
import { IconButton, VisuallyHidden } from '@shop/shared/ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { api } from '../api';
import { StateTag } from '../edits/state-tag';
import { useAct } from '../parts';
import { useTexts } from './texts';

interface OrderedRow {
  key: string;
  state: ShownState;
}

interface OrderedTableProps<T extends OrderedRow> {
  label: string;
  /** Resource of the rows; its order is saved there. */
  path: 'banners' | 'modules';
  rows: readonly T[];
  nameOf(row: T): string;
  /** The cell that names a row. */
  name(row: T): ReactNode;
}

const steps = [
  { control: 'up', icon: 'chevron-up', by: -1 },
  { control: 'down', icon: 'chevron-down', by: 1 },
] as const;
type Step = (typeof steps)[number];

/** A list with buttons that move a row up or down; each click is saved. */
export function OrderedTable<T extends OrderedRow>({ label, path, rows, nameOf, name }: OrderedTableProps<T>) {
  const { t } = useTexts();
  const { busy, act } = useAct();
  const body = useRef<HTMLTableSectionElement>(null);
  const [announced, setAnnounced] = useState('');
  // A button that moves with its row loses the focus.
  const clicked = useRef<{ key: string; control: string }>(undefined);
  useEffect(() => {
    if (!clicked.current) return;
    const { key, control } = clicked.current;
    clicked.current = undefined;
    const row = body.current?.rows[rows.findIndex((one) => one.key === key)];
    const buttons = [...(row?.querySelectorAll<HTMLButtonElement>('button:enabled') ?? [])];
    (buttons.find((button) => button.name === control) ?? buttons[0])?.focus();
  }, [rows]);

  const move = (row: T, { control, by }: Step) => {
    if (busy) return;
    const before = rows.map(({ key }) => key);
    const place = before.indexOf(row.key) + by;
    const keys = before.filter((key) => key !== row.key).toSpliced(place, 0, row.key);
    void act(async () => {
      try {
        await api(`POST ${path}/order`, { keys, before });
        clicked.current = { key: row.key, control };
        setAnnounced(t('movedTo', { name: nameOf(row), place: place + 1, count: rows.length }));
      } finally {
        await invalidate([path]);
      }
    });
  };
  const heads = ['name', 'state', 'acts'] as const;
  return (
    <div className="list">
      <div className="table">
        <table className="card rows ordered" aria-label={label}>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col" className={head === 'acts' ? 'is-acts' : undefined}>
                  {t(`heads.${head}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody ref={body}>
            {rows.map((row, index) => (
              <tr key={row.key}>
                <th scope="row">{name(row)}</th>
                <td className="is-sign">
                  <StateTag state={row.state} />
                </td>
                <td className="is-acts">
                  {steps.map((step) => (
                    <IconButton
                      key={step.control}
                      name={step.control}
                      icon={step.icon}
                      label={t(step.control, { name: nameOf(row) })}
                      disabled={!rows[index + step.by]}
                      onClick={() => move(row, step)}
                    />
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <VisuallyHidden>
        <span role="status">{announced}</span>
      </VisuallyHidden>
    </div>
  );
}
