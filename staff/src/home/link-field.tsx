import type { StaffCategories, StaffListedArticle } from '@shop/server/wire';
import { useQuery } from '@shop/shared/query';
import { call } from '../api';
import { GoodsChoice } from '../edits/goods-choice';
import { Select } from '../parts';
import { useTexts } from './texts';

export const useCategories = () =>
  useQuery({ queryKey: ['categories'], queryFn: () => call<StaffCategories>('categories') }).data ?? [];

interface ListFieldProps {
  label: string;
  /** A query of the list. */
  value: string;
  onValue(value: string): void;
}

/** A list of products: all of them or a category. Another query, that a command has set, stays until somebody chooses. */
export function ListField({ label, value, onValue }: ListFieldProps) {
  const { t, language } = useTexts();
  const categories = useCategories();
  const options = [
    { value: '', label: t('everything') },
    ...categories.map(({ key, name }) => ({ value: `category=${key}`, label: name[language] })),
  ];
  const isKnown = options.some((one) => one.value === value);
  return (
    <Select
      label={label}
      value={value}
      options={isKnown ? options : [...options, { value, label: value }]}
      onValue={onValue}
    />
  );
}

export interface LinkValue {
  link_type: 0 | 1 | 2 | 3;
  link_value: string;
}

/** Where a press leads: places of the shop only. */
export function LinkField({ value, set }: { value: LinkValue; set(link: LinkValue): void }) {
  const { t, language } = useTexts();
  const { data: articles = [] } = useQuery({
    queryKey: ['articles'],
    queryFn: () => call<StaffListedArticle[]>('articles'),
  });
  const { link_type, link_value } = value;
  const choose = (link: string) => set({ link_type, link_value: link });
  return (
    <div className="pair">
      <Select
        label={t('link')}
        value={String(link_type)}
        options={[
          { value: '0', label: t('nowhere') },
          { value: '1', label: t('product') },
          { value: '2', label: t('list') },
          { value: '3', label: t('article') },
        ]}
        onValue={(type) => {
          const chosen = Number(type) as LinkValue['link_type'];
          set({ link_type: chosen, link_value: chosen === 3 ? (articles[0]?.key ?? '') : '' });
        }}
      />
      {link_type === 1 && (
        <div className="list">
          {link_value && <p>{t('chosen', { name: link_value })}</p>}
          <GoodsChoice label={t('choose')} onChoose={choose} />
        </div>
      )}
      {link_type === 2 && <ListField label={t('category')} value={link_value} onValue={choose} />}
      {link_type === 3 && (
        <Select
          label={t('article')}
          value={link_value}
          options={articles.map(({ key, title }) => ({ value: key, label: title[language] }))}
          onValue={choose}
        />
      )}
    </div>
  );
}
