import type { ShownState } from '@shop/backoffice/wire';
import type { Language } from '@shop/shared/domain';
import { invalidate, type UseQueryResult } from '@shop/shared/query';
import { IconButton, VisuallyHidden } from '@shop/shared/ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { api } from '../api';
import { newKey, StateTag } from '../edits/parts';
import { type Column, ListHead, TableOf } from '../kit/list-table';
import { LoadedList, useAction } from '../kit/parts';
import { useTexts } from './home-texts';

interface OrderedRow {
  key: string;
  state: ShownState;
  value: { title: Record<Language, string> };
}

interface OrderedListProps<T extends OrderedRow> {
  kind: 'banner' | 'module';
  title: string;
  add: string;
  empty: string;
  query: UseQueryResult<T[]>;
  name(row: T): ReactNode;
}

export function OrderedList<T extends OrderedRow>({ add, empty, query, ...table }: OrderedListProps<T>) {
  const { kind, title } = table;
  return (
    <section className="list" aria-label={title}>
      <ListHead as="h2" title={title} add={add} to={() => `home/new-${kind}/${newKey(kind)}`} />
      <LoadedList query={query} empty={empty}>
        {(rows) => <OrderedTable rows={rows} {...table} />}
      </LoadedList>
    </section>
  );
}

type OrderedTableProps<T extends OrderedRow> = Pick<OrderedListProps<T>, 'kind' | 'title' | 'name'> & {
  rows: readonly T[];
};

const steps = [
  { control: 'up', icon: 'chevron-up', by: -1 },
  { control: 'down', icon: 'chevron-down', by: 1 },
] as const;
type Step = (typeof steps)[number];

function OrderedTable<T extends OrderedRow>({ kind, title, rows, name }: OrderedTableProps<T>) {
  const { t, language } = useTexts();
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
        await api(`POST ${kind}s/order`, { keys, before });
        clicked.current = { key: row.key, control };
        setAnnounced(t('movedTo', { name: row.value.title[language], place: place + 1, count: rows.length }));
      } finally {
        await invalidate([`${kind}s`]);
      }
    });
  };
  const columns: Column<T>[] = [
    { head: t('name'), cell: name },
    { head: t('status'), cell: ({ state }) => <StateTag state={state} />, kind: 'sign' },
    {
      head: t('order'),
      kind: 'actions',
      cell: (row, index) =>
        steps.map((step) => (
          <IconButton
            key={step.control}
            name={step.control}
            icon={step.icon}
            label={t(step.control, { name: row.value.title[language] })}
            disabled={!rows[index + step.by]}
            onClick={() => move(row, step)}
          />
        )),
    },
  ];
  return (
    <div className="list ordered" ref={list}>
      <TableOf label={title} columns={columns} rows={rows} keyOf={({ key }) => key} />
      <VisuallyHidden>
        <span role="status">{announced}</span>
      </VisuallyHidden>
    </div>
  );
}
