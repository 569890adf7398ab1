import { t } from './texts';

/** What a field is called by its path, "items.0.title.en", with the names of its parts; parts without a name are left out. */
export function labelOf(path: string, names: Readonly<Record<string, string>>): string {
  const steps = path.split('.');
  const label = steps
    .flatMap((step) => {
      if (/^\d+$/.test(step)) return [String(Number(step) + 1)];
      if (step === 'CNY' || step === 'USD') return [step];
      return Object.hasOwn(names, step) ? [names[step]] : [];
    })
    .join(' · ');
  const [language] = steps.filter((step) => step === 'zh-CN' || step === 'en');
  return language ? t(language === 'en' ? 'en' : 'zh', { label }) : label || path;
}
