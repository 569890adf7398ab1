import type { StaffBanner, StaffModule, StaffModuleItem } from '@shop/backoffice/wire';
import { LinkType } from '@shop/shared/domain';
import { Checkbox } from '@shop/shared/ui';
import { useApi } from '../api';
import { type EditPart, none } from '../edits/editor';
import { GoodsChoice } from '../edits/parts';
import { bannerRules, itemRules, moduleRules } from '../generated/field-rules';
import { type FieldSpec, Fields } from '../kit/fields';
import type { FormState } from '../kit/form';
import { ListFields } from '../kit/list-fields';
import { Select } from '../kit/parts';
import { pairTexts } from '../pair-texts';

export const templates = ['grid', 'scroller', 'cards', 'strips', 'ranking', 'timed'] as const;

/** The list is ordered by `sort` and age, so a new item is its last one. */
const LAST = 100_000;

const fresh = { title: none, sort: LAST, shown: false, starts_at: null, ends_at: null };
export const freshBanner: StaffBanner = {
  ...fresh,
  image: '',
  image_alt: none,
  link_type: LinkType.None,
  link_value: '',
};
export const freshModule: StaffModule = {
  ...fresh,
  subtitle: none,
  template: 3,
  more_link: null,
  countdown_hours: null,
  items: [],
};

const shown = { kind: 'check', name: 'shown', label: 'shown' } as const;
const title = { kind: 'texts', name: 'title', label: 'name', ...bannerRules.title } as const;
const itemFields: FieldSpec<StaffModuleItem, Key>[] = [
  { kind: 'texts', name: 'title', label: 'itemTitle', hint: 'itemTitleHint', ...itemRules.title, optional: true },
  { kind: 'picture', name: 'image', label: 'image', picture: 'items', optional: true },
];

const bannerParts: EditPart<StaffBanner, Key>[] = [
  {
    title: 'basics',
    fields: [
      title,
      { kind: 'picture', name: 'image', label: 'image', picture: 'banners' },
      { kind: 'texts', name: 'image_alt', label: 'alt', ...bannerRules.image_alt },
      shown,
    ],
    more: (form) => <LinkField {...form} />,
  },
];
const moduleParts: EditPart<StaffModule, Key>[] = [
  {
    title: 'basics',
    fields: [
      title,
      { kind: 'texts', name: 'subtitle', label: 'subtitle', ...moduleRules.subtitle },
      {
        kind: 'select',
        name: 'template',
        label: 'template',
        options: Object.fromEntries(templates.map((template, index) => [`templates.${template}`, index + 1])),
      },
      {
        kind: 'number',
        name: 'countdown_hours',
        label: 'countdown',
        hint: 'countdownHint',
        ...moduleRules.countdown_hours,
      },
      shown,
    ],
    more: (form) => <MoreLink {...form} />,
  },
  { title: 'contents', more: (form) => <Items {...form} /> },
];

const link = [
  { name: 'link_type', label: 'link' },
  { name: 'link_value', label: 'linkValue' },
] as const;
const item = [
  ...itemFields,
  ...link,
  { name: 'goods', label: 'product' },
  { name: 'category', label: 'category' },
] as const;
const names = [
  ...link,
  { name: 'sort', label: 'position' },
  { name: 'more_link', label: 'more' },
  { name: 'items', label: 'contents', fields: item },
] as const;

export const bannerForm = { path: 'banners', parts: bannerParts, names, place: 'home/banner' } as const;
export const moduleForm = { path: 'modules', parts: moduleParts, names, place: 'home/module' } as const;

function MoreLink({ values: { more_link }, setAt }: FormState<StaffModule>) {
  const { t } = useTexts();
  return (
    <>
      <Checkbox checked={more_link !== null} onChange={(on) => setAt('more_link', on ? '' : null)}>
        {t('more')}
      </Checkbox>
      {more_link !== null && (
        <ListField label={t('list')} value={more_link} onValue={(link) => setAt('more_link', link)} />
      )}
    </>
  );
}

const blank = { title: null, image: null, tag: null, goods: null, category: null };

function Items({ values: { items }, setAt }: FormState<StaffModule>) {
  const { t, language } = useTexts();
  const add = (item: Partial<StaffModuleItem>) => setAt('items', [...items, { ...blank, ...item }]);
  const categories = useCategories();
  const free = categories.filter(({ key }) => !items.some((item) => item.category === key));
  const nameOf = (item: StaffModuleItem) =>
    item.title?.[language] ||
    item.goods ||
    categories.find(({ key }) => key === item.category)?.name[language] ||
    item.category ||
    item.link_value ||
    '—';
  const addCategory = (key: string) =>
    key && add({ kind: 'category', category: key, link_type: LinkType.List, link_value: `category=${key}` });
  return (
    <>
      <ListFields name="items" rows={items} title={nameOf} movable>
        {(item, path) => (
          <>
            {item.link_type === LinkType.Web && <p className="hint">{t('outside', { address: item.link_value })}</p>}
            <details>
              <summary>{t('itemTexts')}</summary>
              <Fields of={itemFields} t={t} at={path} className="list" />
            </details>
          </>
        )}
      </ListFields>
      <GoodsChoice
        label={t('addGoods')}
        onChoose={(key) => add({ kind: 'goods', goods: key, link_type: LinkType.Goods, link_value: key })}
      />
      {free.length > 0 && (
        <Select
          label={t('addCategory')}
          value=""
          options={[{ value: '', label: '—' }, ...free.map(({ key, name }) => ({ value: key, label: name[language] }))]}
          onValue={addCategory}
        />
      )}
    </>
  );
}

const useCategories = () => useApi('GET categories', {}).data ?? [];

/** A list of products: all of them or a category. Another query, set by a command, stays until the user chooses. */
function ListField({ label, value, onValue }: { label: string; value: string; onValue(value: string): void }) {
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

const types = ['nowhere', 'product', 'list', 'article'] as const;

/** The target of a click: pages of the shop only. */
function LinkField({ values: { link_type, link_value }, setAt }: FormState<StaffBanner>) {
  const { t, language } = useTexts();
  const { data: articles = [] } = useApi('GET articles', {});
  const choose = (link: string) => setAt('link_value', link);
  return (
    <div className="pair">
      <Select<number>
        label={t('link')}
        value={link_type}
        options={types.map((type, index) => ({ value: index, label: t(type) }))}
        onValue={(type) => {
          setAt('link_type', type);
          choose(type === LinkType.Article ? (articles[0]?.key ?? '') : '');
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

export const { useTexts, t } = pairTexts('staff-home', {
  all: ['返回首页设置', 'Home page'],
  banners: ['轮播图', 'Banners'],
  modules: ['栏目', 'Modules'],
  addBanner: ['新建轮播图', 'New banner'],
  addModule: ['新建栏目', 'New module'],
  noBanners: ['还没有轮播图', 'No banners yet'],
  noModules: ['还没有栏目，首页显示全部商品', 'No modules yet: the home page shows all products'],
  items: ['{{count}} 项', '{{count}} items', '1 item'],
  name: ['标题', 'Title'],
  subtitle: ['副标题', 'Subtitle'],
  image: ['图片', 'Picture'],
  alt: ['图片说明', 'Alt text'],
  order: ['顺序', 'Order'],
  up: ['{{name}} 上移', 'Move {{name}} up'],
  down: ['{{name}} 下移', 'Move {{name}} down'],
  movedTo: ['{{name}} 移到第 {{place}} 位，共 {{count}} 位', '{{name}} is now {{place}} of {{count}}'],
  shown: ['展示', 'Shown'],
  link: ['点击后打开', 'Links to'],
  linkValue: ['链接目标', 'Link target'],
  nowhere: ['不跳转', 'Nothing'],
  product: ['商品', 'A product'],
  list: ['商品列表', 'A list of products'],
  article: ['文章', 'An article'],
  everything: ['全部商品', 'All products'],
  chosen: ['已选：{{name}}', 'Selected: {{name}}'],
  choose: ['选择商品', 'Choose a product'],
  outside: ['站外地址（由命令设置）：{{address}}', 'External URL, set by a command: {{address}}'],
  template: ['样式', 'Layout'],
  templates: {
    grid: ['图标宫格', 'Icon grid'],
    scroller: ['横向滑动', 'Scrolling row'],
    cards: ['两列卡片', 'Two-column cards'],
    strips: ['小横幅', 'Small banners'],
    ranking: ['排行榜', 'Ranking'],
    timed: ['限时倒计时', 'Countdown row'],
  },
  more: ['“更多”链接', '“More” link'],
  countdown: ['倒计时（小时）', 'Countdown (hours)'],
  countdownHint: ['不填表示没有倒计时', 'Leave blank for none'],
  contents: ['内容', 'Content'],
  addCategory: ['添加分类', 'Add a category'],
  itemTexts: ['标题和图片', 'Title and picture'],
  itemTitle: ['自定义标题', 'Custom title'],
  itemTitleHint: ['不填则用商品或分类的名称。', 'Leave blank to use the product or category name.'],
});
type Key = Parameters<typeof t>[0];
