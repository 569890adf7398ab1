import type { HistoryEntry, StaffEdited } from '@shop/server/wire';
import { formatDate } from '@shop/shared/i18n';
import { useQuery } from '@shop/shared/query';
import { Button, confirm, ErrorState, Skeleton, toast } from '@shop/shared/ui';
import { useState } from 'react';
import { call, post } from '../api';
import { Fault, Table, useFormAct } from '../parts';
import { differences } from './differences';
import { useTexts } from './texts';

interface HistoryProps<T> {
  path: string;
  itemKey: string;
  revision: string;
  label(path: string): string;
  isDirty: boolean;
  onPutBack(saved: StaffEdited<T>): void;
}

/** Who changed what, newest first; loaded once it is opened. */
export function History<T>(props: HistoryProps<T>) {
  const { t } = useTexts();
  const [open, setOpen] = useState(false);
  return (
    <details className="card" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('history.title')}</summary>
      {open && <Entries {...props} />}
    </details>
  );
}

function Entries<T>({ path, itemKey, revision, label, isDirty, onPutBack }: HistoryProps<T>) {
  const { t } = useTexts();
  const { busy, fault, act } = useFormAct();
  const { data, error, refetch } = useQuery({
    queryKey: ['history', path, itemKey, revision],
    queryFn: () => call<HistoryEntry[]>(`${path}/${encodeURIComponent(itemKey)}/history`),
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={3} />;
  if (data.length === 0) return <p className="hint">{t('history.empty')}</p>;
  const putBack = async ({ id, at, before }: HistoryEntry) => {
    const fields = Object.keys(before ?? {}).map((name) => label(name));
    const values = { time: formatDate(at), fields: fields.join('、') };
    if (
      !(await confirm({
        title: t('history.putBackAsk'),
        content: t('history.putBackText', values),
        confirmText: t('history.putBack'),
      }))
    )
      return;
    await act(async () => {
      onPutBack(await post<StaffEdited<T>>(`${path}/put-back`, { key: itemKey, revision, entry: id }));
      toast.success(t('saved'));
    });
  };
  return (
    <>
      {fault && <Fault>{fault}</Fault>}
      {isDirty && <p className="hint">{t('history.saveFirst')}</p>}
      {data.map((entry) => (
        <article key={entry.id} className="history">
          <Table
            title={`${formatDate(entry.at)} · ${entry.by.replace(/ \(staff\)$/, '') || t('history.job')}${entry.put_back ? ` · ${t('history.isPutBack')}` : ''}`}
            head={[t('conflict.field'), t('conflict.before'), t('history.after')]}
            rows={
              entry.before
                ? differences(entry.before, entry.after).map(({ path: at, texts }) => [label(at), ...texts])
                : [[t('history.made'), '', '']]
            }
          />
          {entry.before && (
            <Button kind="secondary" disabled={busy || isDirty} onClick={() => void putBack(entry)}>
              {t('history.putBack')}
            </Button>
          )}
        </article>
      ))}
    </>
  );
}
