import type { StaffGoods } from '@shop/server/wire';
import { Button, Checkbox } from '@shop/shared/ui';
import { InBoth } from '../edits/fields';
import { Field, Select } from '../parts';
import { Part, type PartProps } from './inputs';
import { useTexts } from './texts';

type OrderField = StaffGoods['fields'][number];

/** What buyers fill in. Choices come with the import; what the form does not show stays as it is. */
export function OrderFields({ draft, set }: PartProps) {
  const { t } = useTexts();
  const change = (index: number, field: Partial<OrderField>) =>
    set({ fields: draft.fields.map((one, at) => (at === index ? { ...one, ...field } : one)) });
  const add = () => {
    const label = { 'zh-CN': '', en: '' };
    set({ fields: [...draft.fields, { key: '', label, type: 'text', required: true, remember: false }] });
  };
  return (
    <Part title={t('form')}>
      {draft.fields.map((field, index) => (
        <fieldset key={index} className="spec">
          <legend>{t('field', { number: index + 1 })}</legend>
          <InBoth
            label={t('fieldLabel')}
            value={field.label}
            maxLength={60}
            required
            onValue={(label) => change(index, { label })}
          />
          <div className="pair">
            <Field
              label={t('fieldKey')}
              value={field.key}
              pattern="\w{1,40}"
              required
              onValue={(key) => change(index, { key })}
            />
            <Select
              label={t('fieldType')}
              value={field.type}
              options={(
                ['text', 'number', 'password', ...(field.options?.length ? (['select'] as const) : [])] as const
              ).map((value) => ({ value, label: t(value) }))}
              onValue={(type) => change(index, { type })}
            />
          </div>
          <Field
            label={t('fieldPattern')}
            hint={t('patternHint')}
            value={field.pattern ?? ''}
            maxLength={300}
            spellCheck={false}
            onValue={(pattern) => change(index, { pattern: pattern || undefined })}
          />
          <div className="row">
            <Checkbox checked={field.required} onChange={(required) => change(index, { required })}>
              {t('required')}
            </Checkbox>
            <Checkbox checked={field.remember} onChange={(remember) => change(index, { remember })}>
              {t('remember')}
            </Checkbox>
            <Button
              kind="secondary"
              icon="trash"
              onClick={() => set({ fields: draft.fields.filter((_one, at) => at !== index) })}
            >
              {t('remove')}
            </Button>
          </div>
        </fieldset>
      ))}
      <div>
        <Button kind="secondary" icon="plus" onClick={add}>
          {t('addField')}
        </Button>
      </div>
    </Part>
  );
}
