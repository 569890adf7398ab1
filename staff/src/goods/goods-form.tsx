import type { StaffCategories, StaffGoods } from '@shop/server/wire';
import { GoodsStatus, RechargeType, SpecType, stockTypes } from '@shop/shared/domain';
import { useQuery } from '@shop/shared/query';
import { Checkbox, ErrorState, Skeleton } from '@shop/shared/ui';
import { call } from '../api';
import { Editor } from '../edits/editor';
import { InBoth, PictureField } from '../edits/fields';
import { go } from '../location';
import { Field, Select } from '../parts';
import { fieldName } from './field-name';
import { Lines, NumberField, Part, type PartProps } from './inputs';
import { OrderFields } from './order-fields';
import { PriceChanges } from './price-changes';
import { Pricing } from './pricing';
import { useTexts } from './texts';

const suppliers = stockTypes.filter((one) => one !== 'stock');
const none = { 'zh-CN': '', en: '' };

/** What a new product begins with: hidden, until somebody shows it. */
const freshGoods = (category: string): StaffGoods => ({
  name: none,
  category,
  status: GoodsStatus.OffShelf,
  recharge_type: RechargeType.CardCode,
  stock_type: 'stock',
  aliases: [],
  initial: '#',
  tags: [],
  image: '',
  images: [],
  description_html: none,
  notice: none,
  redeem: none,
  spec_type: SpecType.FaceValues,
  specs: [{ key: '1', name: none, face_value: '', prices: {}, original_prices: {}, max_qty: 99 }],
  custom: null,
  fields: [],
  limits: { min: 1, max: 99, per_user: null, per_day: null },
  need_verify_account: false,
  sort: 1000,
});

export function GoodsForm({ goodsKey, isNew }: { goodsKey: string; isNew?: boolean }) {
  const { t } = useTexts();
  const { data, error, refetch } = useQuery({
    queryKey: ['categories'],
    queryFn: () => call<StaffCategories>('categories'),
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <a className="back-link" href="#/goods">
        ‹ {t('all')}
      </a>
      <h1>{goodsKey}</h1>
      {data ? (
        <Editor<StaffGoods>
          path="goods"
          itemKey={goodsKey}
          fresh={isNew ? freshGoods(data[0]?.key ?? '') : undefined}
          label={fieldName}
          onSaved={(key) => isNew && go(`goods/edit/${key}`)}
        >
          {(draft, set) => <Parts draft={draft} set={set} categories={data} />}
        </Editor>
      ) : (
        <Skeleton lines={8} />
      )}
      {!isNew && <PriceChanges goods={goodsKey} />}
    </>
  );
}

function Parts({ draft, set, categories }: PartProps & { categories: StaffCategories }) {
  const { t, language } = useTexts();
  const isOwn = draft.recharge_type === RechargeType.CardCode || draft.recharge_type === RechargeType.Manual;
  const limits = (change: Partial<StaffGoods['limits']>) => set({ limits: { ...draft.limits, ...change } });
  return (
    <>
      <Part title={t('basics')}>
        <InBoth label={t('name')} value={draft.name} onValue={(name) => set({ name })} maxLength={100} required />
        <div className="pair">
          <Select
            label={t('status')}
            value={String(draft.status)}
            options={[
              { value: String(GoodsStatus.OnShelf), label: t('onShelf') },
              { value: String(GoodsStatus.VipShelf), label: t('vip') },
              { value: String(GoodsStatus.OffShelf), label: t('offShelf') },
            ]}
            onValue={(value) => set({ status: Number(value) as GoodsStatus })}
          />
          <Select
            label={t('category')}
            value={draft.category}
            options={categories.map(({ key, name }) => ({ value: key, label: name[language] }))}
            onValue={(category) => set({ category })}
          />
          <Select
            label={t('kind')}
            value={String(draft.recharge_type)}
            options={[
              { value: String(RechargeType.CardCode), label: t('card') },
              { value: String(RechargeType.Direct), label: t('direct') },
              { value: String(RechargeType.Proxy), label: t('proxy') },
              { value: String(RechargeType.Manual), label: t('manual') },
            ]}
            onValue={(value) => set({ recharge_type: Number(value) as RechargeType })}
          />
          {!isOwn && (
            <Select
              label={t('stockType')}
              value={draft.stock_type}
              options={[{ value: 'stock', label: t('own') }, ...suppliers.map((one) => ({ value: one, label: one }))]}
              onValue={(value) => set({ stock_type: value as StaffGoods['stock_type'] })}
            />
          )}
          <NumberField
            label={t('sort')}
            hint={t('sortHint')}
            value={draft.sort}
            min={0}
            onValue={(sort) => set({ sort: sort ?? 0 })}
          />
          <Field
            label={t('initial')}
            value={draft.initial}
            pattern="[A-Z#]"
            maxLength={1}
            onValue={(initial) => set({ initial: initial.toUpperCase() })}
          />
        </div>
        <div className="pair">
          <Lines
            label={t('aliases')}
            hint={t('aliasesHint')}
            value={draft.aliases.join(', ')}
            onValue={(text) =>
              set({
                aliases: text
                  .split(/[,，\n]/)
                  .map((one) => one.trim())
                  .filter(Boolean),
              })
            }
          />
          <Lines
            label={t('tags')}
            hint={t('tagsHint')}
            value={draft.tags.map((tag) => `${tag['zh-CN']} | ${tag.en}`).join('\n')}
            onValue={(text) => set({ tags: tagsOf(text) })}
          />
        </div>
        <Checkbox checked={draft.need_verify_account} onChange={(need_verify_account) => set({ need_verify_account })}>
          {t('verify')}
        </Checkbox>
      </Part>
      <Part title={t('words')}>
        <InBoth
          label={t('description')}
          rows={6}
          value={draft.description_html}
          onValue={(description_html) => set({ description_html })}
        />
        <InBoth
          label={t('notice')}
          rows={3}
          maxLength={5000}
          value={draft.notice}
          onValue={(notice) => set({ notice })}
        />
        <InBoth
          label={t('redeem')}
          rows={3}
          maxLength={5000}
          value={draft.redeem}
          onValue={(redeem) => set({ redeem })}
        />
      </Part>
      <Part title={t('pictures')}>
        <PictureField label={t('image')} kind="goods" value={draft.image} onValue={(image) => set({ image })} />
        <Lines
          label={t('images')}
          hint={t('imagesHint')}
          value={draft.images.join('\n')}
          onValue={(text) =>
            set({
              images: text
                .split('\n')
                .map((one) => one.trim())
                .filter(Boolean),
            })
          }
        />
      </Part>
      <Pricing draft={draft} set={set} />
      <Part title={t('limits')}>
        <div className="pair">
          <NumberField
            label={t('perOrderMin')}
            value={draft.limits.min}
            min={1}
            onValue={(min) => limits({ min: min ?? 1 })}
          />
          <NumberField
            label={t('perOrderMax')}
            value={draft.limits.max}
            min={1}
            onValue={(max) => limits({ max: max ?? 1 })}
          />
          <NumberField
            label={t('perUser')}
            hint={t('noLimitHint')}
            value={draft.limits.per_user}
            min={1}
            onValue={(per_user) => limits({ per_user })}
          />
          <NumberField
            label={t('perDay')}
            hint={t('noLimitHint')}
            value={draft.limits.per_day}
            min={1}
            onValue={(per_day) => limits({ per_day })}
          />
        </div>
      </Part>
      <OrderFields draft={draft} set={set} />
    </>
  );
}

function tagsOf(text: string): StaffGoods['tags'] {
  return text.split('\n').flatMap((line) => {
    const [zh = '', en = ''] = line.split('|').map((part) => part.trim());
    return zh || en ? [{ 'zh-CN': zh, en: en || zh }] : [];
  });
}
