import { useApi } from '../api';
import { EditPage } from '../edits/editor';
import { RowLink } from '../kit/list-table';
import { bannerForm, freshBanner, freshModule, moduleForm } from './home-forms';
import { templates, useTexts } from './home-texts';
import { OrderedList } from './ordered-table';

/** `#/home`, `#/home/banner/<key>`, `#/home/module/<key>`, `#/home/new-banner/<key>`, `#/home/new-module/<key>`. */
export function HomePage({ place: [what, key = ''] }: { place: string[] }) {
  const { t } = useTexts();
  const form = { itemKey: key, t, all: t('all') };
  switch (what) {
    case 'banner':
      return <EditPage key={key} {...form} {...bannerForm} />;
    case 'module':
      return <EditPage key={key} {...form} {...moduleForm} />;
    case 'new-banner':
      return <EditPage key={key} {...form} {...bannerForm} title={t('addBanner')} fresh={freshBanner} />;
    case 'new-module':
      return <EditPage key={key} {...form} {...moduleForm} title={t('addModule')} fresh={freshModule} />;
    default:
      return <HomeLists />;
  }
}

function HomeLists() {
  const { t, language } = useTexts();
  return (
    <>
      <h1>{t('nav.home')}</h1>
      <div className="stack">
        <OrderedList
          kind="banner"
          title={t('banners')}
          add={t('addBanner')}
          empty={t('noBanners')}
          query={useApi('GET banners', {})}
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
          query={useApi('GET modules', {})}
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
