import type { StaffGoods } from '@shop/server/wire';
import { type Currency, currencies, RechargeType, SpecType } from '@shop/shared/domain';
import { Button } from '@shop/shared/ui';
import { Fragment } from 'react';
import { InBoth } from '../edits/fields';
import { Field, Select } from '../parts';
import { NumberField, Part, type PartProps } from './inputs';
import { useTexts } from './texts';

type Spec = StaffGoods['specs'][number];
type Prices = Spec['prices'];
const none = { 'zh-CN': '', en: '' };

/** A price that is empty is not offered. */
function withPrice(prices: Prices, currency: Currency, text: string): Prices {
  const { [currency]: _old, ...others } = prices;
  return text === '' ? others : { ...others, [currency]: text };
}

export function Pricing({ draft, set }: PartProps) {
  const { t } = useTexts();
  const change = (index: number, spec: Partial<Spec>) =>
    set({ specs: draft.specs.map((one, at) => (at === index ? { ...one, ...spec } : one)) });
  const move = (index: number) => {
    const specs = [...draft.specs];
    specs.splice(index - 1, 0, ...specs.splice(index, 1));
    set({ specs });
  };
  const add = () => {
    const keys = new Set(draft.specs.map(({ key }) => key));
    let number = draft.specs.length + 1;
    while (keys.has(String(number))) number += 1;
    set({
      specs: [
        ...draft.specs,
        { key: String(number), name: none, face_value: '', prices: {}, original_prices: {}, max_qty: 99 },
      ],
    });
  };
  return (
    <Part title={t('pricing')}>
      <p className="hint">{t('priceHint')}</p>
      {draft.recharge_type !== RechargeType.CardCode && (
        <div className="narrow">
          <Select
            label={t('mode')}
            value={String(draft.spec_type)}
            options={[
              { value: String(SpecType.FaceValues), label: t('values') },
              { value: String(SpecType.Custom), label: t('custom') },
            ]}
            onValue={(value) =>
              set(
                Number(value) === SpecType.Custom
                  ? {
                      spec_type: SpecType.Custom,
                      specs: [],
                      custom: draft.custom ?? { min: 1, max: 100, step: 1, unit_price: {}, unit: none },
                    }
                  : { spec_type: SpecType.FaceValues, custom: null },
              )
            }
          />
        </div>
      )}
      {draft.specs.map((spec, index) => (
        <fieldset key={index} className="spec">
          <legend>
            {t('spec', { number: index + 1 })} {spec.face_value}
          </legend>
          <div className="pair">
            <Field
              label={t('specKey')}
              value={spec.key}
              pattern="[A-Za-z0-9_.+\-]{1,60}"
              required
              onValue={(key) => change(index, { key })}
            />
            <Field
              label={t('faceValue')}
              value={spec.face_value}
              maxLength={60}
              required
              onValue={(face_value) => change(index, { face_value })}
            />
          </div>
          <InBoth
            label={t('specName')}
            value={spec.name}
            maxLength={100}
            required
            onValue={(name) => change(index, { name })}
          />
          <div className="pair prices">
            {currencies.map((currency) => (
              <Fragment key={currency}>
                <PriceField
                  label={t('price', { currency })}
                  value={spec.prices[currency]}
                  onValue={(text) =>
                    change(index, {
                      prices: withPrice(spec.prices, currency, text),
                      // Without a discount both are one price.
                      ...((spec.original_prices[currency] ?? '') === (spec.prices[currency] ?? '') && {
                        original_prices: withPrice(spec.original_prices, currency, text),
                      }),
                    })
                  }
                />
                <PriceField
                  label={t('original', { currency })}
                  value={spec.original_prices[currency]}
                  onValue={(text) =>
                    change(index, { original_prices: withPrice(spec.original_prices, currency, text) })
                  }
                />
              </Fragment>
            ))}
            <NumberField
              label={t('maxQty')}
              value={spec.max_qty}
              min={1}
              onValue={(max_qty) => change(index, { max_qty: max_qty ?? 1 })}
            />
          </div>
          <div className="row">
            {index > 0 && (
              <Button kind="secondary" icon="chevron-up" onClick={() => move(index)}>
                {t('up')}
              </Button>
            )}
            <Button
              kind="secondary"
              icon="trash"
              onClick={() => set({ specs: draft.specs.filter((_one, at) => at !== index) })}
            >
              {t('remove')}
            </Button>
          </div>
        </fieldset>
      ))}
      {draft.spec_type === SpecType.FaceValues && (
        <div>
          <Button kind="secondary" icon="plus" onClick={add}>
            {t('addSpec')}
          </Button>
        </div>
      )}
      {draft.custom && <CustomValue custom={draft.custom} onValue={(custom) => set({ custom })} />}
    </Part>
  );
}

function PriceField({
  value = '',
  ...field
}: {
  label: string;
  hint?: string;
  value: string | undefined;
  onValue(text: string): void;
}) {
  return <Field inputMode="decimal" pattern="\d{1,9}(\.\d{1,2})?" value={value} autoComplete="off" {...field} />;
}

type Custom = NonNullable<StaffGoods['custom']>;

function CustomValue({ custom, onValue }: { custom: Custom; onValue(custom: Custom): void }) {
  const { t } = useTexts();
  const set = (change: Partial<Custom>) => onValue({ ...custom, ...change });
  return (
    <>
      <InBoth label={t('unit')} value={custom.unit} maxLength={30} required onValue={(unit) => set({ unit })} />
      <div className="pair">
        <NumberField label={t('min')} value={custom.min} min={1} onValue={(min) => set({ min: min ?? 1 })} />
        <NumberField label={t('max')} value={custom.max} min={1} onValue={(max) => set({ max: max ?? 1 })} />
        <NumberField label={t('step')} value={custom.step} min={1} onValue={(step) => set({ step: step ?? 1 })} />
        {currencies.map((currency) => (
          <PriceField
            key={currency}
            label={t('unitPrice', { currency })}
            value={custom.unit_price[currency]}
            onValue={(text) => set({ unit_price: withPrice(custom.unit_price, currency, text) })}
          />
        ))}
      </div>
    </>
  );
}
