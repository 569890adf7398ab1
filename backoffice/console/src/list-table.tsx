import { Empty, type EmptyProps } from '@shop/shared/ui';
import type { ReactNode, Ref } from 'react';
import { Loaded } from './parts';

export interface Column<T> {
  head: string;
  /** The first column's names its row; nothing where a row has none. */
  cell(one: T): ReactNode;
  /** A number under its head; its buttons; or what says by itself what it is, also on a card. */
  kind?: 'number' | 'acts' | 'sign';
}

export interface ListTableProps<T> {
  /** What it is a list of. */
  label: string;
  columns: ReadonlyArray<Column<T>>;
  keyOf(one: T): string | number;
  isCurrent?(one: T): boolean;
}

const classOf = ({ kind }: Column<never>) => kind && `is-${kind}`;

/** A list as a table. Where there is no room for its columns, on a phone or beside a panel, each row is a card. */
export const TableOf = <T,>(props: ListTableProps<T> & { rows: readonly T[] }) => {
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
          {rows.map((one) => (
            <tr key={keyOf(one)} aria-current={isCurrent?.(one) || undefined}>
              <th scope="row">{first?.cell(one)}</th>
              {rest.map((column) => (
                <td key={column.head} className={classOf(column)} data-head={column.head}>
                  {column.cell(one)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

interface AskedTableProps<T> extends ListTableProps<T>, Pick<EmptyProps, 'art'> {
  query: { data: readonly T[] | undefined; error: unknown; isFetching?: boolean; refetch(): unknown };
  /** What an empty list says. */
  empty: string;
  lines?: number;
}

/** What was asked for as a table, or what stands in its place while it has not come or is empty. */
export const ListTable = <T,>({ query, empty, lines, art, ...table }: AskedTableProps<T>) => (
  <div aria-live="polite" aria-busy={query.isFetching}>
    <Loaded query={query} lines={lines}>
      {(rows) => (rows.length === 0 ? <Empty title={empty} art={art} /> : <TableOf {...table} rows={rows} />)}
    </Loaded>
  </div>
);

interface RowLinkProps {
  href: string;
  /** Under its name. */
  note?: ReactNode;
  ref?: Ref<HTMLAnchorElement>;
  children: ReactNode;
}

/** Leads from a row to a page of its own; of a card all of it does. */
export const RowLink = ({ href, note, ref, children }: RowLinkProps) => (
  <>
    <a className="row-link" ref={ref} href={href}>
      {children}
    </a>
    {note && <span className="hint">{note}</span>}
  </>
);
