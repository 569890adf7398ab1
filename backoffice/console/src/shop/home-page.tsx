import type { StaffListedBanner, StaffListedModule } from '@shop/backoffice/wire';
import type { UseQueryResult } from '@shop/shared/query';
import { Button, Empty } from '@shop/shared/ui';
import type { ReactNode } from 'react';
import { useApi } from '../api';
import { newKey } from '../edits/new-key';
import { RowLink } from '../kit/list-table';
import { Loaded } from '../kit/parts';
import { go } from '../location';
import { BannerForm } from './banner-form';
import { placeAtEnd } from './home-fields';
import { templateName, useTexts } from './home-texts';
import { ModuleForm } from './module-form';
import { OrderedTable } from './ordered-table';

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
        <Group title={t('banners')} kind="banner" add={t('addBanner')} query={banners} empty={t('noBanners')}>
          <OrderedTable
            label={t('banners')}
            path="banners"
            rows={banners.data ?? []}
            nameOf={({ value }) => value.title[language]}
            name={({ key, value }) => (
              <RowLink href={`#/home/banner/${key}`}>
                <img src={value.image} alt="" width={112} height={49} loading="lazy" />
                {value.title[language]}
              </RowLink>
            )}
          />
        </Group>
        <Group title={t('modules')} kind="module" add={t('addModule')} query={modules} empty={t('noModules')}>
          <OrderedTable
            label={t('modules')}
            path="modules"
            rows={modules.data ?? []}
            nameOf={({ value }) => value.title[language]}
            name={({ key, value }) => (
              <RowLink
                href={`#/home/module/${key}`}
                note={`${templateName(value.template)} · ${t('items', { count: value.items.length })}`}
              >
                {value.title[language]}
              </RowLink>
            )}
          />
        </Group>
      </div>
    </>
  );
}

interface GroupProps {
  title: string;
  kind: 'banner' | 'module';
  add: string;
  query: UseQueryResult<readonly unknown[]>;
  empty: string;
  children: ReactNode;
}

function Group({ title, kind, add, query, empty, children }: GroupProps) {
  return (
    <section className="list" aria-label={title}>
      <div className="row">
        <h2 className="grow">{title}</h2>
        <Button icon="plus" onClick={() => go(`home/new-${kind}/${newKey(kind)}`)}>
          {add}
        </Button>
      </div>
      <Loaded query={query} lines={4}>
        {(all) => (all.length === 0 ? <Empty title={empty} /> : children)}
      </Loaded>
    </section>
  );
}
