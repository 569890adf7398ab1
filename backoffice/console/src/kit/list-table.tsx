import type { Translate } from '@shop/shared/i18n';
import type { ListResult } from '@shop/shared/query';
import { Button } from '@shop/shared/ui';
import type { ReactNode, Ref } from 'react';
import { go } from '../location';
import { useTexts } from '../texts';
import { LoadedList, type LoadedListProps, Section } from './parts';

export interface Column<T> {
  head: string;
  /** The cell of the first column names its row; undefined if a row has none. */
  cell(row: T, index: number): ReactNode;
  /** `number`: right-aligned. `actions`: buttons. `sign`: a cell that needs no label, not even on a card. */
  kind?: 'number' | 'actions' | 'sign';
}

interface ColumnsProps<T> {
  label: string;
  columns: ReadonlyArray<Column<T>>;
  keyOf(row: T, index: number): string | number;
  isCurrent?(row: T): boolean;
}

const classOf = ({ kind }: Column<never>) => kind && `is-${kind}`;

/** A table of a list. Without room for its columns, on a phone or beside a panel, each row is a card. */
export const TableOf = <T,>(props: ColumnsProps<T> & { rows: readonly T[] }) => {
  const { label, columns, rows, keyOf, isCurrent } = props;
  const [first, ...rest] = columns;
  return (
    <div className="table">
      <table className="card rows" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.head} scope="col" className={classOf(column)}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf(row, index)} aria-current={isCurrent?.(row) || undefined}>
              <th scope="row">{first?.cell(row, index)}</th>
              {rest.map((column) => (
                <td key={column.head} className={classOf(column)} data-head={column.head}>
                  {column.cell(row, index)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

type ListTableProps<T> = ColumnsProps<T> & Omit<LoadedListProps<T>, 'children'>;

export const ListTable = <T,>({ query, empty, ...table }: ListTableProps<T>) => (
  <LoadedList query={query} empty={empty}>
    {(rows) => <TableOf {...table} rows={rows} />}
  </LoadedList>
);

interface PagedProps<T> {
  list: ListResult<T>;
  children(query: LoadedListProps<T>['query']): ReactNode;
}

export function Paged<T>({ list, children }: PagedProps<T>) {
  const { t } = useTexts();
  const { items, error, isLoading, isLoadingMore, hasMore, loadMore, refresh } = list;
  const hasNone = isLoading || (error && items.length === 0);
  return (
    <>
      {children({ data: hasNone ? undefined : items, error, refetch: refresh })}
      {hasMore && (
        <Button kind="secondary" loading={isLoadingMore} onClick={loadMore}>
          {t('showMore')}
        </Button>
      )}
    </>
  );
}

type PagedTableProps<T> = Omit<ListTableProps<T>, 'query'> & Omit<PagedProps<T>, 'children'>;

export const PagedTable = <T,>({ list, ...table }: PagedTableProps<T>) => (
  <Paged list={list}>{(query) => <ListTable {...table} query={query} />}</Paged>
);

interface ListHeadProps {
  as?: 'h1' | 'h2';
  title: string;
  add: string;
  /** The page of a new item. */
  to(): string;
}

export const ListHead = ({ as: Heading = 'h1', title, add, to }: ListHeadProps) => (
  <div className="row">
    <Heading className="grow">{title}</Heading>
    <Button icon="plus" onClick={() => go(to())}>
      {add}
    </Button>
  </div>
);

type ListedPage = 'articles' | 'coupons' | 'levels';

interface ListPageProps<T> extends Pick<ListTableProps<T>, 'query' | 'columns'>, Pick<ListHeadProps, 'to'> {
  page: ListedPage;
  t: Translate<`nav.${ListedPage}` | 'add' | 'empty'>;
}

export const ListPage = <T extends { key: string }>({ page, t, to, ...table }: ListPageProps<T>) => (
  <>
    <ListHead title={t(`nav.${page}`)} add={t('add')} to={to} />
    <ListTable {...table} label={t(`nav.${page}`)} empty={t('empty')} keyOf={({ key }) => key} />
  </>
);

interface TextRowsProps {
  label: string;
  head: string[];
  rows: string[][];
}

export const TextRows = ({ label, head, rows }: TextRowsProps) => (
  <TableOf
    label={label}
    columns={head.map((name, column) => ({ head: name, cell: (row: string[]) => row[column] || '—' }))}
    rows={rows}
    keyOf={(_row, index) => index}
  />
);

export function TextTable({ title, ...table }: Omit<TextRowsProps, 'label'> & { title: string }) {
  const { t } = useTexts();
  return (
    <Section title={title}>
      {table.rows.length === 0 ? <p className="hint">{t('none')}</p> : <TextRows label={title} {...table} />}
    </Section>
  );
}

interface RowLinkProps {
  href: string;
  note?: ReactNode;
  ref?: Ref<HTMLAnchorElement>;
  children: ReactNode;
}

/** Links from a row to a page; on a card the whole card is the link. */
export const RowLink = ({ href, note, ref, children }: RowLinkProps) => (
  <>
    <a className="row-link" ref={ref} href={href}>
      {children}
    </a>
    {note && <span className="hint">{note}</span>}
  </>
);
