import type { StaffModule, StaffModuleItem } from '@shop/backoffice/wire';
import { LinkType } from '@shop/shared/domain';
import { Checkbox } from '@shop/shared/ui';
import { EditPage } from '../edits/editor';
import { GoodsChoice } from '../edits/goods-choice';
import { Fields } from '../kit/fields';
import type { FormState } from '../kit/form';
import { ListFields } from '../kit/list-fields';
import { none, Part, Period } from '../kit/part';
import { Select } from '../kit/parts';
import { homeFieldName, itemTexts, moduleShown, moduleTexts } from './home-fields';
import { useTexts } from './home-texts';
import { ListField, useCategories } from './link-field';

export const freshModule: StaffModule = {
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

interface ModuleFormProps {
  moduleKey: string;
  sort?: number;
}

export function ModuleForm({ moduleKey, sort }: ModuleFormProps) {
  const { t } = useTexts();
  const isNew = sort !== undefined;
  return (
    <EditPage
      path="modules"
      itemKey={moduleKey}
      fresh={isNew ? { ...freshModule, sort } : undefined}
      label={homeFieldName}
      all={t('all')}
      title={isNew ? t('addModule') : undefined}
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
            <Fields of={moduleShown} t={t} />
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
  return (
    <Part title={t('contents')}>
      <ListFields name="items" rows={items} title={nameOf} movable>
        {(item, path) => (
          <>
            {item.link_type === LinkType.Web && <p className="hint">{t('outside', { address: item.link_value })}</p>}
            <details>
              <summary>{t('itemTexts')}</summary>
              <Fields of={itemTexts} t={t} at={path} className="list" />
            </details>
          </>
        )}
      </ListFields>
      <GoodsChoice
        label={t('addGoods')}
        onChoose={(key) =>
          set([...items, { ...blank, kind: 'goods', goods: key, link_type: LinkType.Goods, link_value: key }])
        }
      />
      {free.length > 0 && (
        <Select
          label={t('addCategory')}
          value=""
          options={[{ value: '', label: '—' }, ...free.map(({ key, name }) => ({ value: key, label: name[language] }))]}
          onValue={(key) =>
            key &&
            set([
              ...items,
              { ...blank, kind: 'category', category: key, link_type: LinkType.List, link_value: `category=${key}` },
            ])
          }
        />
      )}
    </Part>
  );
}
