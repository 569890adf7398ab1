import type { ShownState } from '@shop/backoffice/wire';
import { invalidate } from '@shop/shared/query';
import { IconButton, VisuallyHidden } from '@shop/shared/ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { api } from '../api';
import { StateTag } from '../edits/state-tag';
import { type Column, TableOf } from '../kit/list-table';
import { useAction } from '../kit/parts';
import { useTexts } from './home-texts';

interface OrderedRow {
  key: string;
  state: ShownState;
}

interface OrderedTableProps<T extends OrderedRow> {
  label: string;
  /** Resource of the rows; the new order is saved there. */
  path: 'banners' | 'modules';
  rows: readonly T[];
  nameOf(row: T): string;
  name(row: T): ReactNode;
}

const steps = [
  { control: 'up', icon: 'chevron-up', by: -1 },
  { control: 'down', icon: 'chevron-down', by: 1 },
] as const;
type Step = (typeof steps)[number];

export function OrderedTable<T extends OrderedRow>({ label, path, rows, nameOf, name }: OrderedTableProps<T>) {
  const { t } = useTexts();
  const { busy, run } = useAction();
  const list = useRef<HTMLDivElement>(null);
  const [announced, setAnnounced] = useState('');
  // A button that moves with its row loses the focus.
  const clicked = useRef<{ key: string; control: string }>(undefined);
  useEffect(() => {
    if (!clicked.current) return;
    const { key, control } = clicked.current;
    clicked.current = undefined;
    const row = list.current?.querySelectorAll('tbody tr')[rows.findIndex((row) => row.key === key)];
    const buttons = [...(row?.querySelectorAll<HTMLButtonElement>('button:enabled') ?? [])];
    (buttons.find((button) => button.name === control) ?? buttons[0])?.focus();
  }, [rows]);

  const move = (row: T, { control, by }: Step) => {
    if (busy) return;
    const before = rows.map(({ key }) => key);
    const place = before.indexOf(row.key) + by;
    const keys = before.filter((key) => key !== row.key).toSpliced(place, 0, row.key);
    void run(async () => {
      try {
        await api(`POST ${path}/order`, { keys, before });
        clicked.current = { key: row.key, control };
        setAnnounced(t('movedTo', { name: nameOf(row), place: place + 1, count: rows.length }));
      } finally {
        await invalidate([path]);
      }
    });
  };
  const columns: Column<T>[] = [
    { head: t('name'), cell: name },
    { head: t('state'), cell: ({ state }) => <StateTag state={state} />, kind: 'sign' },
    {
      head: t('order'),
      kind: 'actions',
      cell: (row, index) =>
        steps.map((step) => (
          <IconButton
            key={step.control}
            name={step.control}
            icon={step.icon}
            label={t(step.control, { name: nameOf(row) })}
            disabled={!rows[index + step.by]}
            onClick={() => move(row, step)}
          />
        )),
    },
  ];
  return (
    <div className="list ordered" ref={list}>
      <TableOf label={label} columns={columns} rows={rows} keyOf={({ key }) => key} />
      <VisuallyHidden>
        <span role="status">{announced}</span>
      </VisuallyHidden>
    </div>
  );
}
