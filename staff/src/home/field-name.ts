import { labelOf } from '../edits/label-of';
import { t as editText } from '../edits/texts';
import { t } from './texts';

export const fieldName = (path: string) => {
  const isItem = path.startsWith('items.');
  return labelOf(path, {
    title: isItem ? t('itemTitle') : t('name'),
    subtitle: t('subtitle'),
    image: t('image'),
    image_alt: t('alt'),
    link_type: t('link'),
    link_value: t('linkValue'),
    sort: t('sort'),
    shown: t('shown'),
    template: t('template'),
    more_link: t('more'),
    countdown_hours: t('countdown'),
    items: t('contents'),
    goods: t('product'),
    category: t('category'),
    starts_at: editText('period.from'),
    ends_at: editText('period.until'),
  });
};
