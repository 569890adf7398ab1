import type { StaffPriceEdit, StaffPricesPreview } from '@shop/backoffice/wire';
import type { Currency } from '@shop/shared/domain';
import { codeFaultTexts } from '@shop/shared/domain/code-lines';
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
import { pairTexts } from '../pair-texts';
import { t as goodsText } from './goods-fields';

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

function PricesPreview(props: { preview: StaffPricesPreview; busy: boolean; onApply(): void }) {
  const { t } = useTexts();
  const [shown, setShown] = useState(PAGE);
  const { changes, faults, fault_count, unknown } = props.preview;
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
          <Button loading={props.busy} onClick={props.onApply}>
            {t('apply', { count: changes.length })}
          </Button>
        )}
        {changes.length > shown && (
          <Button kind="secondary" onClick={() => setShown(shown + PAGE)}>
            {t('showMore')}
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

const { useTexts } = pairTexts('staff-prices', {
  download: ['下载', 'Download'],
  everything: ['全部商品，每个面值一行', 'All products, one row per value'],
  found: ['搜索“{{words}}”找到的商品，每个面值一行', 'The products found for “{{words}}”, one row per value'],
  upload: ['上传', 'Upload'],
  uploadHint: [
    '在表格软件中修改价格或原价，再选择文件（CSV 或 XLSX，最多 5000 行、2 MB）。确认每一处修改后才生效。价格留空表示不以该货币出售；缺少的行和列不变。',
    'Change prices or original prices in a spreadsheet, then choose the file (CSV or XLSX, up to 5,000 rows and 2 MB). You see every change before you apply it. An empty price ends the sale in that currency. Rows and columns that are left out stay as they are.',
  ],
  changes: ['{{count}} 个面值有修改', '{{count}} values change', '1 value changes'],
  nothing: ['没有修改', 'Nothing changes'],
  unknown: ['未读取的列：{{names}}', 'Columns that are not read: {{names}}'],
  faults: ['{{count}} 处有误', '{{count}} errors', '1 error'],
  fix: ['请改正文件后重新选择；尚未应用任何修改。', 'Correct the file and choose it again. Nothing was applied.'],
  row: ['行', 'Row'],
  column: ['列', 'Column'],
  written: ['内容', 'Content'],
  problem: ['问题', 'Problem'],
  change: ['修改', 'Change'],
  price: ['价格', 'Price'],
  original: ['原价', 'Original price'],
  none: ['无', 'none'],
  buyers: ['购买价与毛利', 'Who pays what'],
  everyone: ['所有人', 'Everyone'],
  margin: ['毛利 {{margin}}%', '{{margin}}% margin'],
  below: ['低于成本', 'Below cost'],
  cost: ['成本 {{amount}}', 'Cost {{amount}}'],
  apply: ['应用 {{count}} 处修改', 'Apply {{count}} changes', 'Apply 1 change'],
  applied: ['已修改 {{count}} 个面值', '{{count}} values changed', '1 value changed'],
  edits: ['最近的修改', 'Recent changes'],
  noEdits: ['还没有用价格表修改过', 'No price list has been applied yet'],
  values: ['面值数', 'Values'],
  by: ['店员', 'Staff'],
  isUndo: ['撤销了之前的修改', 'Undid an earlier change'],
  isUndone: ['已撤销', 'Undone'],
  undoAsk: ['撤销 {{time}} 的修改？', 'Undo the change of {{time}}?'],
  undoText: [
    '{{count}} 个面值恢复为修改前的价格。如其中有价格之后又被修改过，则都不恢复。',
    '{{count}} values get back their earlier prices. If one of these was changed since, none is restored.',
    '1 value gets back its earlier prices, unless one of them was changed since.',
  ],
  fault: {
    file: [
      '无法读取或过大；请另存为 CSV UTF-8 或没有密码的 XLSX：最多 5000 行，每行最多 5000 字，解压后最多 6 MB',
      'Not readable, or too large: save it as CSV UTF-8 or XLSX without a password, up to 5,000 rows of 5,000 characters and 6 MB unpacked',
    ],
    header: [
      '前 10 行没有表头：需要商品编号、面值编号，以及价格或原价；英文价格须注明货币',
      'No header in the first 10 rows: it needs Product key, Value key, and Price (CNY) or Price (USD)',
    ],
    column: ['与前面的列重复', 'Repeats an earlier column'],
    goods: ['没有这个商品或面值', 'No such product or value'],
    quote: codeFaultTexts.quote,
    twice: codeFaultTexts.twice,
    original: ['原价低于价格', 'The original price is below the price'],
    noPrice: ['至少要有一种货币的价格', 'At least one currency needs a price'],
    number: [
      '须为该货币的金额，大于 0，最多两位小数，且只有一种读法（1234 或 1.23，而非 1,234）；不出售请留空',
      'Must be an amount in this currency above zero, with at most two decimals and not unclear (1234 or 1.23, not 1,234); leave it empty to not sell',
    ],
    spreadsheet: codeFaultTexts.spreadsheet,
  },
});
