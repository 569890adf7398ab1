import type { ShownState } from '@shop/backoffice/wire';
import type { Language } from '@shop/shared/domain';
import { invalidate, type UseQueryResult } from '@shop/shared/query';
import { IconButton, VisuallyHidden } from '@shop/shared/ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { api, useApi } from '../api';
import { EditPage } from '../edits/editor';
import { newKey, StateTag } from '../edits/parts';
import { type Column, ListHead, ListTable, RowLink } from '../kit/list-table';
import { useAction } from '../kit/parts';
import { bannerForm, freshBanner, freshModule, moduleForm, templates, useTexts } from './home-forms';

/** `#/home`, `#/home/banner/<key>`, `#/home/module/<key>`, `#/home/new-banner/<key>`, `#/home/new-module/<key>`. */
export function HomePage({ place: [what, key = ''] }: { place: string[] }) {
  const { t } = useTexts();
  const form = { itemKey: key, t, all: t('all') };
  switch (what) {
    case 'banner':
      return <EditPage key={key} {...form} {...bannerForm} />;
    case 'module':
      return <EditPage key={key} {...form} {...moduleForm} />;
    case 'new-banner':
      return <EditPage key={key} {...form} {...bannerForm} title={t('addBanner')} fresh={freshBanner} />;
    case 'new-module':
      return <EditPage key={key} {...form} {...moduleForm} title={t('addModule')} fresh={freshModule} />;
    default:
      return <HomeLists />;
  }
}

function HomeLists() {
  const { t, language } = useTexts();
  return (
    <>
      <h1>{t('nav.home')}</h1>
      <div className="stack">
        <OrderedList
          kind="banner"
          title={t('banners')}
          add={t('addBanner')}
          empty={t('noBanners')}
          query={useApi('GET banners', {})}
          name={({ key, value }) => (
            <RowLink href={`#/home/banner/${key}`}>
              <img src={value.image} alt="" width={112} height={49} loading="lazy" />
              {value.title[language]}
            </RowLink>
          )}
        />
        <OrderedList
          kind="module"
          title={t('modules')}
          add={t('addModule')}
          empty={t('noModules')}
          query={useApi('GET modules', {})}
          name={({ key, value }) => (
            <RowLink
              href={`#/home/module/${key}`}
              note={`${t(`templates.${templates[value.template - 1] ?? 'cards'}`)} · ${t('items', { count: value.items.length })}`}
            >
              {value.title[language]}
            </RowLink>
          )}
        />
      </div>
    </>
  );
}

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

const steps = [
  { control: 'up', icon: 'chevron-up', by: -1 },
  { control: 'down', icon: 'chevron-down', by: 1 },
] as const;
type Step = (typeof steps)[number];

function OrderedList<T extends OrderedRow>({ kind, title, add, empty, query, name }: OrderedListProps<T>) {
  const { t, language } = useTexts();
  const { data: rows = [] } = query;
  const { busy, run } = useAction();
  const list = useRef<HTMLElement>(null);
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
    <section className="list ordered" aria-label={title} ref={list}>
      <ListHead as="h2" title={title} add={add} to={() => `home/new-${kind}/${newKey(kind)}`} />
      <ListTable label={title} query={query} empty={empty} columns={columns} keyOf={({ key }) => key} />
      <VisuallyHidden>
        <span role="status">{announced}</span>
      </VisuallyHidden>
    </section>
  );
}
