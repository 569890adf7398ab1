import type { StaffModule, StaffModuleItem } from '@shop/server/wire';
import { Button, Checkbox } from '@shop/shared/ui';
import { editCalls } from '../edits/edit.api';
import { EditPage } from '../edits/editor';
import { GoodsChoice } from '../edits/goods-choice';
import { Fields, InBoth } from '../forms/fields';
import type { FormState } from '../forms/form';
import { none, Part } from '../forms/part';
import { Period } from '../forms/period';
import { PictureField } from '../forms/picture-field';
import { Select } from '../parts';
import { homeFieldName, moduleOrder, moduleTexts } from './home-fields';
import { ListField, useCategories } from './link-field';
import { useTexts } from './texts';

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
    <EditPage
      calls={editCalls('modules')}
      itemKey={moduleKey}
      fresh={isNew ? freshModule : undefined}
      label={homeFieldName}
      list="home"
      all={t('all')}
      title={isNew ? t('addModule') : moduleKey}
      place="home/module"
    >
      {(draft, setAt) => (
        <>
          <Part title={t('basics')}>
            <Fields of={moduleTexts} t={t} />
            <Checkbox checked={draft.more_link !== null} onChange={(on) => setAt('more_link', on ? '' : null)}>
              {t('more')}
            </Checkbox>
            {draft.more_link !== null && (
              <ListField label={t('list')} value={draft.more_link} onValue={(link) => setAt('more_link', link)} />
            )}
            <Fields of={moduleOrder} t={t} />
          </Part>
          <Items items={draft.items} setAt={setAt} />
          <Period />
        </>
      )}
    </EditPage>
  );
}

const blank = { title: null, image: null, tag: null, goods: null, category: null };

function Items({ items, setAt }: { items: StaffModuleItem[]; setAt: FormState<StaffModule>['setAt'] }) {
  const set = (next: StaffModuleItem[]) => setAt('items', next);
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
  return (
    <Part title={t('contents')}>
      <ol className="list">
        {items.map((item, index) => (
          <li key={index} className="box">
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
                <InBoth path={`items.${index}.title`} label={t('itemTitle')} maxLength={100} nullable />
                <p className="hint">{t('itemTitleHint')}</p>
                <PictureField
                  label={t('image')}
                  kind="items"
                  value={item.image ?? ''}
                  onValue={(image) => setAt(`items.${index}.image`, image || null)}
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
