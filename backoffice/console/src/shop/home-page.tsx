import { useApi } from '../api';
import { EditPage } from '../edits/editor';
import { bannerRules } from '../generated/home.rules';
import { RowLink } from '../kit/list-table';
import { Loaded } from '../kit/parts';
import { bannerForm, freshBanner, freshModule, moduleForm } from './home-forms';
import { templates, useTexts } from './home-texts';
import { OrderedList } from './ordered-table';

/** Position after the last item of a list; the list itself reorders items. */
const placeAtEnd = (all: ReadonlyArray<{ value: { sort: number } }>) => ({
  sort: Math.min(Math.max(0, ...all.map(({ value }) => value.sort)) + 10, bannerRules.sort.max),
});

/** `#/home`, `#/home/banner/<key>`, `#/home/module/<key>`, `#/home/new-banner/<key>`, `#/home/new-module/<key>`. */
export function HomePage({ place: [what, key = ''] }: { place: string[] }) {
  const { t, language } = useTexts();
  const isOne = what === 'banner' || what === 'module';
  const banners = useApi('GET banners', {}, { enabled: !isOne });
  const modules = useApi('GET modules', {}, { enabled: !isOne });
  const form = { itemKey: key, t, all: t('all') };
  switch (what) {
    case 'banner':
      return <EditPage key={key} {...form} {...bannerForm} />;
    case 'module':
      return <EditPage key={key} {...form} {...moduleForm} />;
    case 'new-banner':
      return (
        <Loaded key={key} query={banners}>
          {(all) => (
            <EditPage {...form} {...bannerForm} title={t('addBanner')} fresh={{ ...freshBanner, ...placeAtEnd(all) }} />
          )}
        </Loaded>
      );
    case 'new-module':
      return (
        <Loaded key={key} query={modules}>
          {(all) => (
            <EditPage {...form} {...moduleForm} title={t('addModule')} fresh={{ ...freshModule, ...placeAtEnd(all) }} />
          )}
        </Loaded>
      );
    default:
      return (
        <>
          <h1>{t('nav.home')}</h1>
          <div className="stack">
            <OrderedList
              kind="banner"
              title={t('banners')}
              add={t('addBanner')}
              empty={t('noBanners')}
              query={banners}
              name={({ key, value }) => (
                <RowLink href={`#/home/banner/${key}`}>
                  <img src={value.image} alt="" width={112} height={49} loading="lazy" />
                  {value.title[language]}
                </RowLink>
              )}
            />
            <OrderedList
              kind="module"
              title={t('modules')}
              add={t('addModule')}
              empty={t('noModules')}
              query={modules}
              name={({ key, value }) => (
                <RowLink
                  href={`#/home/module/${key}`}
                  note={`${t(`templates.${templates[value.template - 1] ?? 'cards'}`)} · ${t('items', { count: value.items.length })}`}
                >
                  {value.title[language]}
                </RowLink>
              )}
            />
          </div>
        </>
      );
  }
}
