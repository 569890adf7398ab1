import type { StaffLevel } from '../catalogue/levels.schemas';

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
