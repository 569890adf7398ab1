import type { StaffListedBanner, StaffListedModule } from '@shop/backoffice/wire';
import { Tag } from '@shop/shared/ui';
import { useState } from 'react';
import { TimeField } from '../forms/time-field';
import { Section } from '../parts';
import { useCategories } from './link-field';
import { useTexts } from './texts';

interface Shown {
  shown: boolean;
  starts_at: string | null;
  ends_at: string | null;
}
const isShownAt = ({ shown, starts_at, ends_at }: Shown, at: number) =>
  shown && (starts_at === null || Date.parse(starts_at) <= at) && (ends_at === null || Date.parse(ends_at) > at);

/** What stands on the home page at a time, in its order. */
export function HomePreview({ banners, modules }: { banners: StaffListedBanner[]; modules: StaffListedModule[] }) {
  const { t, language } = useTexts();
  const [time, setTime] = useState<string | null>(null);
  const categories = useCategories();
  const at = time ? Date.parse(time) : Date.now();
  const shownBanners = banners.filter(({ value }) => isShownAt(value, at));
  const shownModules = modules.filter(({ value }) => isShownAt(value, at));
  return (
    <Section title={t('preview')}>
      <div className="narrow">
        <TimeField label={t('previewAt')} hint={t('previewHint')} value={time} onValue={setTime} />
      </div>
      <div className="card home-preview" aria-live="polite">
        {shownBanners.length + shownModules.length === 0 && <p className="hint">{t('previewEmpty')}</p>}
        {shownBanners.length > 0 && (
          <ul className="list">
            {shownBanners.map(({ key, value }) => (
              <li key={key} className="list">
                <img src={value.image} alt={value.image_alt[language]} width={320} height={140} loading="lazy" />
                {value.title[language]}
              </li>
            ))}
          </ul>
        )}
        {shownModules.map(({ key, value, names }) => (
          <section key={key} className="list" aria-label={value.title[language]}>
            <h3>{value.title[language]}</h3>
            {value.subtitle[language] && <p className="hint">{value.subtitle[language]}</p>}
            <ul className="row">
              {value.items.map((item, index) => (
                <li key={index}>
                  <Tag>
                    {item.title?.[language] ||
                      names[item.goods ?? '']?.[language] ||
                      categories.find((one) => one.key === item.category)?.name[language] ||
                      item.link_value}
                  </Tag>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Section>
  );
}
