import fs from 'node:fs';
import path from 'node:path';
import { seedFolder } from '../../seed/seed';
import { type PeriodName, periods, periodText, secondsOf, withPeriods } from './periods';

interface Article {
  id: string;
  content: Record<'zh-CN' | 'en', string>;
}
const articles = JSON.parse(fs.readFileSync(path.join(seedFolder, 'articles.json'), 'utf8')) as Article[];
const privacy = (articles.find(({ id }) => id === 'privacy') as Article).content;
const named = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort();

const notPersonal = ['endedLimits', 'healthVotes', 'releaseEvents'];

it.each(['zh-CN', 'en'] as const)(
  'the privacy article in %s names every retention period of personal data by its constant',
  (language) => {
    expect(named(privacy[language])).toEqual(
      Object.keys(periods)
        .filter((name) => !notPersonal.includes(name))
        .sort(),
    );
    expect(privacy[language]).not.toMatch(
      /\d+ ?(分钟|小时|天|日|个?工作日|个?月|年|minutes?|hours?|days?|working|months?|years?)/,
    );
    expect(privacy[language]).not.toMatch(/[一二三五六七八九十]+(分钟|小时|天|个月|年)/);
  },
);

it('retention periods have a text in both languages, and are rendered into the privacy article', () => {
  const text = { 'zh-CN': withPeriods(privacy['zh-CN'], 'zh-CN'), en: withPeriods(privacy.en, 'en') };
  expect(text['zh-CN']).toContain(`${secondsOf('closure') / 86_400} 天后删除个人信息`);
  expect(text.en).toContain(`your information is deleted ${secondsOf('closure') / 86_400} days later`);
  for (const value of Object.values(text)) expect(value).not.toMatch(/[{}]/);
  expect(() => withPeriods('{{nothing}}', 'en')).toThrow('unknown period "nothing"');
  expect([periodText('closure', 'zh-CN'), periodText('closure', 'en')]).toEqual(['15 天', '15 days']);
  expect([periodText('support', 'zh-CN'), periodText('addresses', 'en')]).toEqual(['15 个工作日', '6 months']);
  for (const name of Object.keys(periods) as PeriodName[])
    expect(periodText(name, 'zh-CN')).toMatch(/^\d+ \p{Script=Han}+$/u);
});
