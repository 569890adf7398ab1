import type { StaffModule, StaffModuleItem } from '@shop/server/wire';
import { Button, Checkbox } from '@shop/shared/ui';
import { EditPage } from '../edits/edit-page';
import { InBoth, PictureField } from '../edits/fields';
import { GoodsChoice } from '../edits/goods-choice';
import { Period } from '../edits/time-field';
import { NumberField, Part } from '../goods/inputs';
import { Select } from '../parts';
import { Order } from './banner-form';
import { fieldName } from './field-name';
import { ListField, useCategories } from './link-field';
import { templateName, useTexts } from './texts';

const none = { 'zh-CN': '', en: '' };
const templates = [1, 2, 3, 4, 5, 6] as const;
const freshModule: StaffModule = {
  title: none,
  subtitle: none,
  template: 3,
  more_link: null,
  countdown_hours: null,
  items: [],
  sort: 100,
  shown: false,
  starts_at: null,
  ends_at: null,
};

export function ModuleForm({ moduleKey, isNew }: { moduleKey: string; isNew?: boolean }) {
  const { t } = useTexts();
  return (
    <EditPage<StaffModule>
      list="home"
      all={t('all')}
      newTitle={t('addModule')}
      isNew={isNew}
      fresh={freshModule}
      place="home/module"
      path="modules"
      itemKey={moduleKey}
      label={fieldName}
    >
      {(draft, set) => (
        <>
          <Part title={t('basics')}>
            <InBoth
              label={t('name')}
              value={draft.title}
              onValue={(title) => set({ title })}
              maxLength={100}
              required
            />
            <InBoth
              label={t('subtitle')}
              value={draft.subtitle}
              onValue={(subtitle) => set({ subtitle })}
              maxLength={200}
            />
            <div className="pair">
              <Select
                label={t('template')}
                value={String(draft.template)}
                options={templates.map((one) => ({ value: String(one), label: templateName(one) }))}
                onValue={(value) => set({ template: Number(value) as StaffModule['template'] })}
              />
              <NumberField
                label={t('countdown')}
                hint={t('countdownHint')}
                value={draft.countdown_hours}
                min={1}
                onValue={(countdown_hours) => set({ countdown_hours })}
              />
            </div>
            <Checkbox checked={draft.more_link !== null} onChange={(on) => set({ more_link: on ? '' : null })}>
              {t('more')}
            </Checkbox>
            {draft.more_link !== null && (
              <ListField label={t('list')} value={draft.more_link} onValue={(more_link) => set({ more_link })} />
            )}
            <Order value={draft} set={set} />
          </Part>
          <Items items={draft.items} set={(items) => set({ items })} />
          <Period value={draft} set={set} />
        </>
      )}
    </EditPage>
  );
}

const blank = { title: null, image: null, tag: null, goods: null, category: null };

function Items({ items, set }: { items: StaffModuleItem[]; set(items: StaffModuleItem[]): void }) {
  const { t, language } = useTexts();
  const categories = useCategories();
  const free = categories.filter(({ key }) => !items.some((item) => item.category === key));
  const nameOf = (item: StaffModuleItem) =>
    item.title?.[language] ||
    item.goods ||
    categories.find(({ key }) => key === item.category)?.name[language] ||
    item.category ||
    item.link_value ||
    '—';
  const moveUp = (index: number) => {
    const moved = [...items];
    moved.splice(index - 1, 0, ...moved.splice(index, 1));
    set(moved);
  };
  const change = (index: number, part: Partial<StaffModuleItem>) =>
    set(items.map((item, at) => (at === index ? { ...item, ...part } : item)));
  return (
    <Part title={t('contents')}>
      <ol className="list">
        {items.map((item, index) => (
          <li key={index} className="item">
            <div className="row">
              <strong className="grow">{nameOf(item)}</strong>
              {index > 0 && (
                <Button kind="secondary" aria-label={t('up', { name: nameOf(item) })} onClick={() => moveUp(index)}>
                  ↑
                </Button>
              )}
              <Button
                kind="secondary"
                icon="trash"
                aria-label={t('remove', { name: nameOf(item) })}
                onClick={() => set(items.filter((_one, at) => at !== index))}
              />
            </div>
            {item.link_type === 4 && <p className="hint">{t('outside', { address: item.link_value })}</p>}
            <details>
              <summary>{t('itemTexts')}</summary>
              <div className="list">
                <InBoth
                  label={t('itemTitle')}
                  value={item.title ?? none}
                  onValue={(title) => change(index, { title: title['zh-CN'] || title.en ? title : null })}
                  maxLength={100}
                />
                <p className="hint">{t('itemTitleHint')}</p>
                <PictureField
                  label={t('image')}
                  kind="items"
                  value={item.image ?? ''}
                  onValue={(image) => change(index, { image: image || null })}
                />
              </div>
            </details>
          </li>
        ))}
      </ol>
      <GoodsChoice
        label={t('addGoods')}
        onChoose={(key) => set([...items, { ...blank, kind: 'goods', goods: key, link_type: 1, link_value: key }])}
      />
      {free.length > 0 && (
        <Select
          label={t('addCategory')}
          value=""
          options={[{ value: '', label: '—' }, ...free.map(({ key, name }) => ({ value: key, label: name[language] }))]}
          onValue={(key) =>
            key &&
            set([...items, { ...blank, kind: 'category', category: key, link_type: 2, link_value: `category=${key}` }])
          }
        />
      )}
    </Part>
  );
}
