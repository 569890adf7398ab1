import type { StaffCategories, StaffGoods, StaffListedGoods } from '@shop/backoffice/wire';
import { GoodsStatus, RechargeType, SpecType } from '@shop/shared/domain';
import { formatMoney as money } from '@shop/shared/money';
import { listQueryOptions, useListQuery } from '@shop/shared/query';
import { Button, Tag } from '@shop/shared/ui';
import { api, useApi } from '../api';
import { EditPage, type EditPart, none } from '../edits/editor';
import { NewItem } from '../edits/parts';
import { specRules } from '../generated/field-rules';
import { ProductSearch } from '../kit/action-form';
import { Fields, FieldTable } from '../kit/fields';
import type { FormState } from '../kit/form';
import { ListFields } from '../kit/list-fields';
import { type Column, PagedTable, RowLink } from '../kit/list-table';
import { Loaded } from '../kit/parts';
import { go } from '../location';
import * as fields from './goods-fields';
import { type Key, useTexts } from './goods-fields';
import { PriceListPage } from './price-list-page';

const states = {
  [GoodsStatus.OnShelf]: { label: 'onShelf', tone: 'success' },
  [GoodsStatus.VipShelf]: { label: 'vip', tone: 'accent' },
  [GoodsStatus.OffShelf]: { label: 'offShelf', tone: 'neutral' },
} as const;
const newKey = { label: 'newKey', hint: 'newKeyHint', ...specRules.key } as const;

/**
 * `#/goods`, `#/goods/find/<words>`, `#/goods/edit/<key>`, `#/goods/new`, `#/goods/new/<key>`, `#/goods/prices/<words>`;
 * `#/goods/copy/<original>` and `#/goods/new/<key>/<original>` for a copy.
 */
export function GoodsPage({ place: [what, text = '', original] }: { place: string[] }) {
  const { t } = useTexts();
  if (what === 'edit' && text) return <GoodsForm key={text} goodsKey={text} />;
  if (what === 'prices') return <PriceListPage words={text} />;
  if (what === 'new' && text) return <GoodsForm key={text} goodsKey={text} original={original} isNew />;
  if (what === 'new' || what === 'copy')
    return <NewItem t={t} list="goods" title={text ? 'copy' : 'add'} {...newKey} original={text} />;
  return <GoodsList words={what === 'find' ? text : ''} />;
}

const goodsQuery = (q: string) =>
  listQueryOptions(
    ['goods', 'GET goods', q],
    (page, cursor) => api('GET goods', { q, page, cursor }),
    ({ key }) => key,
  );

function GoodsList({ words }: { words: string }) {
  const { t } = useTexts();
  const list = useListQuery(goodsQuery(words));
  return (
    <>
      <h1>
        {t('nav.goods')} {list.items.length > 0 && <span className="hint">{t('count', { count: list.total })}</span>}
      </h1>
      <ProductSearch
        page="goods"
        words={words}
        more={
          <>
            <Button kind="secondary" icon="plus" onClick={() => go('goods/new')}>
              {t('add')}
            </Button>
            <Button kind="secondary" onClick={() => go(`goods/prices/${encodeURIComponent(words)}`)}>
              {t('priceList')}
            </Button>
          </>
        }
      />
      <PagedTable
        label={t('nav.goods')}
        list={list}
        empty={t('empty')}
        columns={useColumns()}
        keyOf={({ key }) => key}
      />
    </>
  );
}

function useColumns(): Column<StaffListedGoods>[] {
  const { t, language } = useTexts();
  return [
    {
      head: t('name'),
      cell: ({ key, name }) => (
        <RowLink href={`#/goods/edit/${key}`} note={key}>
          {name[language]}
        </RowLink>
      ),
    },
    {
      head: t('listPrice'),
      cell: ({ prices }) => prices.map(({ currency, price }) => money(price, currency)).join(' · ') || '—',
      kind: 'number',
    },
    {
      head: t('inStock'),
      cell: ({ stock }) => (stock === null ? t('noLimit') : stock),
      kind: 'number',
    },
    {
      head: t('status'),
      cell: ({ status }) => <Tag tone={states[status].tone}>{t(states[status].label)}</Tag>,
      kind: 'sign',
    },
  ];
}

interface GoodsFormProps {
  goodsKey: string;
  isNew?: boolean;
  /** The key of the product that a new one copies. */
  original?: string;
}

function GoodsForm({ goodsKey, isNew, original = '' }: GoodsFormProps) {
  const { t, language } = useTexts();
  const categories = useApi('GET categories', {});
  const copied = useApi('GET goods/:key', { key: original }, { enabled: original !== '' });
  const partsOf =
    (all: StaffCategories) =>
    ({ recharge_type }: StaffGoods): EditPart<StaffGoods, Key>[] => {
      const isOwn = recharge_type === RechargeType.CardCode || recharge_type === RechargeType.Manual;
      const choices = {
        category: all.map(({ key, name }) => ({ value: key, label: name[language] })),
        stock_type: fields.stockTypes(t('own')),
      };
      const basics = [...fields.name, ...(isOwn ? [] : [fields.stockType]), ...fields.search];
      return [
        { title: 'basics', fields: basics, choices },
        { title: 'words', fields: fields.words },
        { title: 'pictures', fields: fields.pictures },
        { title: 'pricing', hint: 'priceHint', more: (form) => <Pricing {...form} isNew={isNew} /> },
        { title: 'limits', fields: fields.limits },
        { title: 'form', more: ({ values }) => <OrderFields rows={values.fields} /> },
      ];
    };
  const freshOf = (all: StaffCategories) =>
    copied.data ? fields.copyOf(copied.data.value) : fields.freshGoods(all[0]?.key ?? '');
  const form = { path: 'goods', itemKey: goodsKey, names: fields.names, t, all: t('all') } as const;
  return (
    <Loaded<unknown> query={original === '' ? categories : copied}>
      {() => (
        <Loaded query={categories}>
          {(all) => (
            <>
              <EditPage {...form} fresh={isNew ? freshOf(all) : undefined} parts={partsOf(all)} />
              {!isNew && (
                <div className="row">
                  <Button kind="secondary" onClick={() => go(`goods/copy/${goodsKey}`)}>
                    {t('copy')}
                  </Button>
                </div>
              )}
            </>
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

function OrderFields({ rows }: { rows: fields.OrderField[] }) {
  const { t, language } = useTexts();
  return (
    <ListFields
      name="fields"
      rows={rows}
      title={({ label }, index) => `${t('field', { number: index + 1 })} ${label[language]}`.trim()}
      folded
      add={t('addField')}
      fresh={(): fields.OrderField => ({ key: '', label: none, type: 'text', required: true, remember: false })}
    >
      {(field, at) => {
        const types = fields.typesOf(field).map((value) => ({ value, label: t(value) }));
        return <Fields of={fields.orderField} t={t} at={at} choices={{ type: types }} />;
      }}
    </ListFields>
  );
}

function Pricing({ values: draft, setAt, isNew }: FormState<StaffGoods> & { isNew?: boolean }) {
  const { t } = useTexts();
  const isCustom = draft.spec_type === SpecType.Custom;
  const choose = (isCustomNow: boolean) => {
    setAt('spec_type', isCustomNow ? SpecType.Custom : SpecType.FaceValues);
    setAt('custom', isCustomNow ? (draft.custom ?? { min: 1, max: 100, step: 1, unit_price: {}, unit: none }) : null);
    if (isCustomNow) setAt('specs', []);
  };
  const titleOf = (spec: fields.Spec, index: number) => `${t('spec', { number: index + 1 })} ${spec.face_value}`.trim();
  return (
    <>
      {draft.recharge_type !== RechargeType.CardCode && (
        <Fields of={fields.mode} t={t} onSet={(value) => choose(value === SpecType.Custom)} />
      )}
      {draft.specs.length > 0 && (
        <FieldTable
          label={t('prices')}
          head={t('value')}
          of={fields.specPrices}
          t={t}
          name="specs"
          rows={draft.specs.map(titleOf)}
        />
      )}
      <ListFields
        name="specs"
        rows={draft.specs}
        title={titleOf}
        folded={!isNew}
        add={isCustom ? undefined : t('addSpec')}
        fresh={() => fields.freshSpec(draft.specs)}
        movable
      >
        {(spec, at) => (
          <>
            <Fields of={fields.spec} t={t} at={at} />
            <Steps steps={spec.steps ?? []} at={`${at}.steps`} />
          </>
        )}
      </ListFields>
      {draft.custom && <Fields of={fields.custom} t={t} at="custom" />}
    </>
  );
}

function Steps({ steps, at }: { steps: fields.Step[]; at: string }) {
  const { t } = useTexts();
  return (
    <>
      <p className="hint">{t('stepsHint')}</p>
      <ListFields
        name={at}
        rows={steps}
        title={({ from }) => t('step_from', { from })}
        add={steps.length < fields.MOST_STEPS ? t('addStep') : undefined}
        fresh={(): fields.Step => ({ from: Math.max(2, (steps.at(-1)?.from ?? 5) * 2), prices: {} })}
      >
        {(_step, place) => <Fields of={fields.step} t={t} at={place} className="pair tight" />}
      </ListFields>
    </>
  );
}
