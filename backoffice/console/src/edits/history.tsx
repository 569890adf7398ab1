import type { Edited, HistoryEntry } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { useQuery } from '@shop/shared/query';
import { useState } from 'react';
import { call, post } from '../api';
import { ActionButton } from '../kit/action-form';
import { TextTable } from '../kit/list-table';
import { Loaded } from '../kit/parts';
import { differences } from './differences';
import { useTexts } from './texts';

interface HistoryProps<T> {
  path: string;
  itemKey: string;
  revision: string;
  label(path: string): string;
  isDirty: boolean;
  onPutBack(saved: Edited<T>): void;
}

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
  const query = useQuery({
    queryKey: ['history', path, itemKey, revision],
    queryFn: () => call<HistoryEntry[]>(`${path}/${encodeURIComponent(itemKey)}/history`),
  });
  const questionOf = ({ at, before }: HistoryEntry) => {
    const fields = Object.keys(before ?? {}).map((name) => label(name));
    const content = t('history.putBackText', { time: formatDate(at), fields: fields.join('、') });
    return { title: t('history.putBackAsk'), content, confirmText: t('history.putBack') };
  };
  const putBack = async ({ id }: HistoryEntry) =>
    onPutBack(await post<Edited<T>>(`${path}/put-back`, { key: itemKey, revision, entry: id }));
  return (
    <Loaded query={query}>
      {(entries) => (
        <>
          {entries.length === 0 && <p className="hint">{t('history.empty')}</p>}
          {isDirty && entries.length > 0 && <p className="hint">{t('history.saveFirst')}</p>}
          {entries.map((entry) => (
            <article key={entry.id} className="list starts">
              <TextTable
                title={`${formatDate(entry.at)} · ${entry.by.replace(/ \(staff\)$/, '') || t('history.job')}${entry.put_back ? ` · ${t('history.isPutBack')}` : ''}`}
                head={[t('changedField'), t('before'), t('after')]}
                rows={
                  entry.before
                    ? differences(entry.before, entry.after).map(({ path, texts }) => [label(path), ...texts])
                    : [[t('history.made'), '', '']]
                }
              />
              {entry.before && (
                <ActionButton
                  disabled={isDirty}
                  question={questionOf(entry)}
                  action={() => putBack(entry)}
                  done={t('saved')}
                >
                  {t('history.putBack')}
                </ActionButton>
              )}
            </article>
          ))}
        </>
      )}
    </Loaded>
  );
}
