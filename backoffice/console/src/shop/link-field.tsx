import { LinkType } from '@shop/shared/domain';
import { useApi } from '../api';
import { GoodsChoice } from '../edits/goods-choice';
import { Select } from '../kit/parts';
import { useTexts } from './home-texts';

export const useCategories = () => useApi('GET categories', {}).data ?? [];

interface ListFieldProps {
  label: string;
  value: string;
  onValue(value: string): void;
}

/** A list of products: all of them or a category. Another query, set by a command, stays until the user chooses. */
export function ListField({ label, value, onValue }: ListFieldProps) {
  const { t, language } = useTexts();
  const categories = useCategories();
  const options = [
    { value: '', label: t('everything') },
    ...categories.map(({ key, name }) => ({ value: `category=${key}`, label: name[language] })),
  ];
  const isOption = options.some((option) => option.value === value);
  return (
    <Select
      label={label}
      value={value}
      options={isOption ? options : [...options, { value, label: value }]}
      onValue={onValue}
    />
  );
}

interface LinkFieldProps {
  value: { link_type: number; link_value: string };
  setAt(path: string, value: number | string): void;
}

const types = ['nowhere', 'product', 'list', 'article'] as const;

/** The target of a click: pages of the shop only. */
export function LinkField({ value: { link_type, link_value }, setAt }: LinkFieldProps) {
  const { t, language } = useTexts();
  const { data: articles = [] } = useApi('GET articles', {});
  const choose = (link: string) => setAt('link_value', link);
  return (
    <div className="pair">
      <Select
        label={t('link')}
        value={String(link_type)}
        options={types.map((type, index) => ({ value: String(index), label: t(type) }))}
        onValue={(type) => {
          setAt('link_type', Number(type));
          choose(type === '3' ? (articles[0]?.key ?? '') : '');
        }}
      />
      {link_type === LinkType.Goods && (
        <div className="list">
          {link_value && <p>{t('chosen', { name: link_value })}</p>}
          <GoodsChoice label={t('choose')} onChoose={choose} />
        </div>
      )}
      {link_type === LinkType.List && <ListField label={t('category')} value={link_value} onValue={choose} />}
      {link_type === LinkType.Article && (
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
