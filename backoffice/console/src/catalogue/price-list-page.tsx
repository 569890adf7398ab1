import type { StaffPriceEdit, StaffPricesPreview } from '@shop/backoffice/wire';
import type { Currency } from '@shop/shared/domain';
import { currencies } from '@shop/shared/domain/lists';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { formatDate } from '@shop/shared/i18n';
import { formatMoney as money } from '@shop/shared/money';
import { Button, Tag, toast } from '@shop/shared/ui';
import { useState } from 'react';
import { api, postForFile, StaffApiError, useApi } from '../api';
import { ActionButton, refetch } from '../kit/action-form';
import { FileButton, saveFile } from '../kit/files';
import { type Column, ListTable, TableOf, TextTable } from '../kit/list-table';
import { BackLink, Fault, Section, useAction } from '../kit/parts';
import { t as goodsText } from './goods-texts';
import { useTexts } from './price-list-texts';

const changed = ['prices', 'goods'];

export function PriceListPage({ words }: { words: string }) {
  const { t } = useTexts();
  const { busy, fault, run } = useAction({ inline: true });
  const [upload, setUpload] = useState<{ file: File; preview: StaffPricesPreview }>();
  const show = async (file: File) => setUpload({ file, preview: await api('POST prices/preview', {}, { file }) });
  const choose = async (chosen: File) => {
    setUpload(undefined);
    // A copy, because the chosen file may be edited after the preview.
    await show(new File([await chosen.arrayBuffer()], chosen.name));
  };
  const apply = async (file: File, revision: string) => {
    try {
      const { values } = await api('POST prices/apply', { revision }, { file });
      setUpload(undefined);
      toast.success(t('applied', { count: values }));
      await refetch(changed);
    } catch (error) {
      if (error instanceof StaffApiError && error.code === StaffErrorCode.EditConflict) await show(file);
      throw error;
    }
  };
  const save = async (format: string) =>
    saveFile(`prices.${format}`, await postForFile('prices/file', { q: words, format }));
  return (
    <>
      <BackLink to={words ? `goods/find/${encodeURIComponent(words)}` : 'goods'}>{goodsText('all')}</BackLink>
      <h1>{goodsText('priceList')}</h1>
      {fault && <Fault>{fault}</Fault>}
      <Section title={t('download')}>
        <p className="hint">{words ? t('found', { words }) : t('everything')}</p>
        <div className="row">
          {['xlsx', 'csv'].map((format) => (
            <Button key={format} kind="secondary" disabled={busy} onClick={() => void run(() => save(format))}>
              {format.toUpperCase()}
            </Button>
          ))}
        </div>
      </Section>
      <Section title={t('upload')}>
        <p className="hint">{t('uploadHint')}</p>
        <div className="row">
          <FileButton accept=".csv,.txt,.xlsx" loading={busy} onFile={(file) => void run(() => choose(file))}>
            {t('file')}
          </FileButton>
          {upload && <p>{upload.file.name}</p>}
        </div>
        {upload && (
          <PricesPreview
            preview={upload.preview}
            busy={busy}
            onApply={() => void run(() => apply(upload.file, upload.preview.revision))}
          />
        )}
      </Section>
      <Edits />
    </>
  );
}

function Edits() {
  const { t } = useTexts();
  const edits = useApi('GET prices/edits', {});
  const isUndone = (id: number) => edits.data?.some(({ put_back }) => put_back === id);
  const columns: Column<StaffPriceEdit>[] = [
    {
      head: t('at'),
      cell: ({ at, put_back }) => (
        <span className="tags">
          {formatDate(at)} {put_back && <Tag>{t('isUndo')}</Tag>}
        </span>
      ),
    },
    { head: t('by'), cell: ({ by }) => by },
    { head: t('values'), cell: ({ values }) => values, kind: 'number' },
    {
      head: t('undo'),
      cell: ({ id, at, values: count }) =>
        isUndone(id) ? (
          t('isUndone')
        ) : (
          <ActionButton
            question={{
              title: t('undoAsk', { time: formatDate(at) }),
              content: t('undoText', { count }),
              confirmText: t('undo'),
            }}
            action={() => api('POST prices/undo', { id })}
            done={t('applied', { count })}
            changes={changed}
          >
            {t('undo')}
          </ActionButton>
        ),
      kind: 'actions',
    },
  ];
  return (
    <Section title={t('edits')}>
      <ListTable label={t('edits')} query={edits} empty={t('noEdits')} columns={columns} keyOf={({ id }) => id} />
    </Section>
  );
}

type Change = StaffPricesPreview['changes'][number];

/** Changes that the page adds at a time. */
const PAGE = 100;

interface PricesPreviewProps {
  preview: StaffPricesPreview;
  busy: boolean;
  onApply(): void;
}

function PricesPreview({ preview, busy, onApply }: PricesPreviewProps) {
  const { t } = useTexts();
  const [shown, setShown] = useState(PAGE);
  const { changes, faults, fault_count, unknown } = preview;
  const columns = useColumns();
  const title = t('changes', { count: changes.length });
  return (
    <div className="list">
      <p role="status">
        <strong>{changes.length > 0 ? title : t('nothing')}</strong> {fault_count > 0 && t('fix')}
      </p>
      {unknown.length > 0 && <p className="hint">{t('unknown', { names: unknown.join(' · ') })}</p>}
      {fault_count > 0 && (
        <TextTable
          title={t('faults', { count: fault_count })}
          head={[t('row'), t('column'), t('written'), t('problem')]}
          rows={faults.map(({ row, column, text, kind, other = 0 }) => [
            String(row),
            column,
            text,
            t(`fault.${kind}`, { other }),
          ])}
        />
      )}
      {changes.length > 0 && (
        <TableOf label={title} columns={columns} rows={changes.slice(0, shown)} keyOf={({ row }) => row} />
      )}
      <div className="row">
        {changes.length > 0 && fault_count === 0 && (
          <Button loading={busy} onClick={onApply}>
            {t('apply', { count: changes.length })}
          </Button>
        )}
        {changes.length > shown && (
          <Button kind="secondary" onClick={() => setShown(shown + PAGE)}>
            {t('more')}
          </Button>
        )}
      </div>
    </div>
  );
}

function useColumns(): Column<Change>[] {
  const { t } = useTexts();
  const lineOf = (cell: string, before: string | null, after: string | null) => {
    const [kind, currency] = cell.split('.') as ['price' | 'original', Currency];
    const [old, now] = [before, after].map((amount) => (amount === null ? t('none') : money(amount, currency)));
    return `${t(kind)} ${old} → ${now}`;
  };
  const costsOf = (change: Pick<Change, `cost.${Currency}`>) =>
    currencies.flatMap((currency) => {
      const cost = change[`cost.${currency}`];
      return cost ? [t('cost', { amount: money(cost, currency) })] : [];
    });
  return [
    {
      head: t('value'),
      cell: ({ name, spec_name, goods, spec }) => (
        <>
          {name} · {spec_name} <span className="hint">{`${goods} ${spec}`}</span>
        </>
      ),
    },
    {
      head: t('change'),
      cell: ({ before, after }) =>
        Object.entries(after).map(([cell, value]) => (
          <div key={cell}>{lineOf(cell, before[cell as keyof typeof before] ?? null, value)}</div>
        )),
    },
    {
      head: t('buyers'),
      cell: ({ buyers, ...change }) => (
        <>
          {buyers.map(({ level, currency, price, margin }, index) => (
            <div key={index}>
              {level ?? t('everyone')} {money(price, currency)} {margin !== null && `· ${t('margin', { margin })}`}{' '}
              {Number(margin) < 0 && <Tag tone="danger">{t('below')}</Tag>}
            </div>
          ))}
          <div className="hint">{costsOf(change).join(' · ')}</div>
        </>
      ),
    },
  ];
}
