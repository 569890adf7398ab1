import type { Place, StaffSharedCode, StaffStock } from '@shop/backoffice/wire';
import { Button, Empty, Tag } from '@shop/shared/ui';
import { useState } from 'react';
import { api, useApi } from '../api';
import { shareCodeRules, stockRules } from '../generated/field-rules';
import { ActionButton, ActionForm, ProductSearch, refetch } from '../kit/action-form';
import type { FieldSpec } from '../kit/fields';
import type { FormState } from '../kit/form';
import { type Column, ListTable, RowLink } from '../kit/list-table';
import { BackLink, Loaded, Section } from '../kit/parts';
import { go } from '../location';
import { BatchesPage, BatchPage } from './batches-page';
import { FreeCodes, ImportCodes } from './codes';
import { type Key, useTexts } from './stock-texts';

/** `#/stock`, `#/stock/find/<words>`, `#/stock/of/<goods>/<spec>`, `#/stock/import`, `#/stock/batches/<id of the batch before>`, `#/stock/batch/<id>`. */
export function StockPage({ place: [what, text = '', spec = ''] }: { place: string[] }) {
  const { t } = useTexts();
  if (what === 'of') return <SpecStock goods={text} spec={spec} />;
  if (what === 'batch') return <BatchPage id={Number(text)} />;
  if (what === 'batches') return <BatchesPage before={Number(text) || undefined} />;
  if (what !== 'import') return <StockList words={what === 'find' ? text : ''} />;
  return (
    <>
      <BackLink to="stock">{t('all')}</BackLink>
      <h1>{t('importAll')}</h1>
      <ImportCodes goods="" spec="" />
    </>
  );
}

function StockList({ words }: { words: string }) {
  const { t } = useTexts();
  return (
    <>
      <h1>{t('nav.stock')}</h1>
      <ProductSearch
        page="stock"
        words={words}
        more={
          <>
            <Button kind="secondary" icon="plus" onClick={() => go('stock/import')}>
              {t('importAll')}
            </Button>
            <Button kind="secondary" onClick={() => go('stock/batches')}>
              {t('batch.title')}
            </Button>
          </>
        }
      />
      <ListTable
        label={t('nav.stock')}
        query={useApi('GET stock', { q: words })}
        empty={t('empty')}
        columns={useColumns()}
        keyOf={({ goods, spec }) => `${goods}/${spec}`}
      />
    </>
  );
}

function useColumns(): Column<StaffStock>[] {
  const { t, language } = useTexts();
  return [
    {
      head: t('product'),
      cell: ({ goods, spec, name, spec_name }) => (
        <RowLink href={`#/stock/of/${goods}/${spec}`} note={`${goods} · ${spec}`}>
          {name[language]} · {spec_name[language]}
        </RowLink>
      ),
    },
    { head: t('left'), cell: ({ pieces }) => pieces ?? t('unlimited'), kind: 'number' },
    {
      head: t('status'),
      cell: ({ low, pieces, expiring }) => (
        <span className="tags">
          {low && <Tag tone={pieces === 0 ? 'danger' : 'warning'}>{t(pieces === 0 ? 'out' : 'low')}</Tag>}
          {expiring > 0 && <span className="hint">{t('expiring', { count: expiring })}</span>}
        </span>
      ),
      kind: 'sign',
    },
  ];
}

function SpecStock({ goods, spec }: Place) {
  const { t, language } = useTexts();
  return (
    <>
      <BackLink to="stock">{t('all')}</BackLink>
      <Loaded query={useApi('GET stock', { q: goods })}>
        {(all) => {
          const stock = all.find((row) => row.goods === goods && row.spec === spec);
          if (!stock) return <Empty title={t('gone')} />;
          return (
            <>
              <h1>
                {stock.name[language]} · {stock.spec_name[language]}{' '}
                <span className="hint">
                  {stock.pieces === null ? t('unlimited') : t('pieces', { count: stock.pieces })}
                </span>
              </h1>
              {stock.codes && <ImportCodes goods={goods} spec={spec} />}
              {(stock.codes || stock.shared) && <SharedCode goods={goods} spec={spec} isShared={stock.shared} />}
              {stock.pieces !== null && <StockSettings key={`${stock.low_stock} ${stock.pieces}`} stock={stock} />}
              {stock.codes && <FreeCodes goods={goods} spec={spec} />}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

interface Settings {
  low_stock: number;
  add: number | null;
}
const settingFields: FieldSpec<Settings, Key>[] = [
  { kind: 'number', name: 'low_stock', label: 'threshold', ...stockRules.low_stock },
  { kind: 'number', name: 'add', label: 'add', hint: 'addHint', ...stockRules.add },
];

function StockSettings({ stock }: { stock: StaffStock }) {
  const { t } = useTexts();
  const { goods, spec, low_stock, codes } = stock;
  const start: Settings = { low_stock, add: null };
  return (
    <ActionForm
      className="card row"
      layout="row"
      fields={codes ? settingFields.slice(0, 1) : settingFields}
      t={t}
      start={start}
      submit={t('save')}
      kind="secondary"
      done={t('saved')}
      changes={['stock']}
      onSubmit={({ add, ...settings }) =>
        api('POST stock/save', { goods, spec, ...settings, ...(add !== null && { add }) })
      }
    />
  );
}

const changed = ['codes', 'stock', 'goods'];

/** One text for all buyers of a specification. If it is not in use, a click opens its form. */
function SharedCode({ isShared, ...place }: Place & { isShared: boolean }) {
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const query = useApi('GET codes/shared', { ...place }, { enabled: isShared || isOpen });
  return (
    <Section className="card" title={t('shared.title')}>
      <p className="hint">{t('shared.about')}</p>
      {isShared || isOpen ? (
        <Loaded query={query}>{(code) => <SharedCodeForm place={place} code={code} />}</Loaded>
      ) : (
        <div className="row">
          <Button kind="secondary" onClick={() => setOpen(true)}>
            {t('shared.start')}
          </Button>
        </div>
      )}
    </Section>
  );
}

const noInput = { text: '', stock: null as number | null, isUnlimited: false };
type Input = typeof noInput;

const textField = (hasText: boolean): FieldSpec<Input, Key> => ({
  kind: 'area',
  name: 'text',
  label: hasText ? 'shared.newText' : 'shared.text',
  hint: hasText ? 'shared.newTextHint' : undefined,
  rows: 8,
  spellCheck: false,
  ...shareCodeRules.text,
  required: !hasText,
});
const counter: FieldSpec<Input, Key> = {
  kind: 'number',
  name: 'stock',
  label: 'shared.stock',
  hint: 'shared.stockHint',
  ...shareCodeRules.stock,
};
const noLimit: FieldSpec<Input, Key> = { kind: 'check', name: 'isUnlimited', label: 'shared.noLimit' };

/** The text is loaded on request only, because each access is audited. */
function SharedCodeForm({ place, code }: { place: Place; code: StaffSharedCode }) {
  const { t } = useTexts();
  const { shared, has_text } = code;
  const isCounted = shared && code.stock !== null;
  const question = { title: t('shared.endAsk'), content: t('shared.endText'), danger: true };
  const save = ({ text, stock, isUnlimited }: Input) => {
    const limit = isUnlimited ? { stock: null } : !isCounted && { stock };
    return api('POST codes/share', { ...place, ...(text && { text }), ...limit }).finally(() => refetch(changed));
  };
  const more = ({ busy, values, setAt }: FormState<Input>) => (
    <div className="row">
      {has_text && (
        // Opening the stored text must not overwrite the input.
        <ActionButton
          disabled={busy || values.text !== ''}
          action={async () => setAt('text', (await api('POST codes/read', { ...place })).text)}
        >
          {t('shared.open')}
        </ActionButton>
      )}
      {shared && (
        <ActionButton
          kind="danger"
          question={{ ...question, confirmText: t('shared.end') }}
          action={() => api('POST codes/unshare', { ...place })}
          done={t('shared.ended')}
          changes={changed}
        >
          {t('shared.end')}
        </ActionButton>
      )}
    </div>
  );
  return (
    <>
      {!shared && <p className="hint">{t('shared.startHint')}</p>}
      <ActionForm
        className="list"
        layout="list"
        fields={[textField(has_text), isCounted ? noLimit : counter]}
        t={t}
        start={noInput}
        submit={t('shared.save')}
        done={t('saved')}
        onSubmit={save}
        more={more}
      />
    </>
  );
}
