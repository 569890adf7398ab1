import type { StaffListedBanner, StaffListedModule } from '@shop/backoffice/wire';
import type { UseQueryResult } from '@shop/shared/query';
import { useApi } from '../api';
import { RowLink } from '../kit/list-table';
import { Loaded } from '../kit/parts';
import { BannerForm } from './banner-form';
import { placeAtEnd } from './home-fields';
import { templateName, useTexts } from './home-texts';
import { ModuleForm } from './module-form';
import { OrderedList } from './ordered-table';

/** `#/home`, `#/home/banner/<key>`, `#/home/module/<key>`, `#/home/new-banner/<key>`, `#/home/new-module/<key>`. */
export function HomePage({ place: [what, key = ''] }: { place: string[] }) {
  const isOne = what === 'banner' || what === 'module';
  const banners = useApi('GET banners', {}, { enabled: !isOne });
  const modules = useApi('GET modules', {}, { enabled: !isOne });
  switch (what) {
    case 'banner':
      return <BannerForm key={key} bannerKey={key} />;
    case 'module':
      return <ModuleForm key={key} moduleKey={key} />;
    case 'new-banner':
      return (
        <Loaded query={banners}>{(all) => <BannerForm key={key} bannerKey={key} sort={placeAtEnd(all)} />}</Loaded>
      );
    case 'new-module':
      return (
        <Loaded query={modules}>{(all) => <ModuleForm key={key} moduleKey={key} sort={placeAtEnd(all)} />}</Loaded>
      );
    default:
      return <Arrangement banners={banners} modules={modules} />;
  }
}

interface ArrangementProps {
  banners: UseQueryResult<StaffListedBanner[]>;
  modules: UseQueryResult<StaffListedModule[]>;
}

function Arrangement({ banners, modules }: ArrangementProps) {
  const { t, language } = useTexts();
  return (
    <>
      <h1>{t('title')}</h1>
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
              note={`${templateName(value.template)} · ${t('items', { count: value.items.length })}`}
            >
              {value.title[language]}
            </RowLink>
          )}
        />
      </div>
    </>
  );
}
