import type { StaffBanner, StaffModule } from '@shop/server/catalogue/storefront.store';
import { randomNumber } from '@shop/server/platform/crypto/tokens';
import type { StaffLevel } from '../catalogue/levels.service';
import type { StaffArticle } from '../shop/articles.service';

export const both = (text: string) => ({ 'zh-CN': `${text}（中）`, en: text });
const always = { starts_at: null, ends_at: null };
export const banner = (over: Partial<StaffBanner> = {}): StaffBanner => ({
  title: both('Sale'),
  image: '/media/a.webp',
  image_alt: both('Stars'),
  link_type: 1,
  link_value: 'card',
  sort: 10,
  shown: true,
  ...always,
  ...over,
});
const blankItem = { goods: null, category: null, title: null, image: null, tag: null };
export const homeModule = (over: Partial<StaffModule> = {}): StaffModule => ({
  title: both('New'),
  subtitle: both(''),
  template: 3,
  more_link: 'category=games',
  countdown_hours: null,
  items: [
    { ...blankItem, kind: 'goods', goods: 'card', link_type: 1, link_value: 'card' },
    {
      ...blankItem,
      kind: 'category',
      category: 'games',
      title: both('Games'),
      tag: both('Hot'),
      link_type: 2,
      link_value: 'category=games&sort=new',
    },
  ],
  sort: 10,
  shown: true,
  ...always,
  ...over,
});
export const article = (over: Partial<StaffArticle> = {}): StaffArticle => ({
  title: both('Summer'),
  content: { 'zh-CN': '<p>正文</p>', en: '<p>Text</p>' },
  sort: 10,
  published: true,
  ...always,
  ...over,
});

export const enquiryBody = {
  company: '某公司',
  contact: '王芳',
  phone: '+86 139-0000-1111',
  email: 'fang@mail.example',
  type: 'wholesale',
  content: '批量采购',
};

export const walletAction = (id: number, kind: string, amount: string, more: object = {}) => ({
  id,
  kind,
  amount,
  currency: 'CNY',
  reason: 'a promise to Fang',
  key: randomNumber(),
  ...more,
});

export const level = (over: Partial<StaffLevel> = {}): StaffLevel => ({
  name: { 'zh-CN': '黄金', en: 'Gold' },
  active: true,
  rank: 1,
  percent: 95,
  thresholds: {},
  period_days: null,
  prices: [],
  ...over,
});
