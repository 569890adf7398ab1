import type { StaffPriceEdit, StaffPricesPreview } from '@shop/backoffice/wire';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { formatDate } from '@shop/shared/i18n';
import { Button, Tag, toast } from '@shop/shared/ui';
import { useState } from 'react';
import { api, postForFile, StaffApiError, useApi } from '../api';
import { ActionButton, refetch } from '../kit/action-form';
import { FileButton } from '../kit/file-button';
import { type Column, ListTable } from '../kit/list-table';
import { BackLink, Fault, Section, useAction } from '../kit/parts';
import { saveFile } from '../reports/csv';
import { t as goodsText } from './goods-texts';
import { useTexts } from './price-list-texts';
import { PricesPreview } from './prices-preview';

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
