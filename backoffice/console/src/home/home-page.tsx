import type { StaffListedBanner, StaffListedModule } from '@shop/backoffice/wire';
import type { UseQueryResult } from '@shop/shared/query';
import { Button, Empty, toast } from '@shop/shared/ui';
import { type ReactNode, useState } from 'react';
import { useApi } from '../api';
import { newKey } from '../edits/new-key';
import { RowLink } from '../list-table';
import { go } from '../location';
import { Loaded } from '../parts';
import { BannerForm } from './banner-form';
import { placeAtEnd } from './home-fields';
import { HomeFrame } from './home-frame';
import { HomePreview } from './home-preview';
import { ModuleForm } from './module-form';
import { OrderedTable } from './ordered-table';
import { templateName, useTexts } from './texts';
import { useOrder } from './use-order';

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
  const [saves, setSaves] = useState(0);
  const onSaved = () => {
    setSaves((now) => now + 1);
    toast.success(t('orderSaved'));
  };
  const bannerOrder = useOrder('banners', banners.data ?? [], onSaved);
  const moduleOrder = useOrder('modules', modules.data ?? [], onSaved);
  return (
    <>
      <h1>{t('title')}</h1>
      <div className="home">
        <div className="stack">
          <Group title={t('banners')} kind="banner" add={t('addBanner')} query={banners} empty={t('noBanners')}>
            <OrderedTable
              label={t('banners')}
              order={bannerOrder}
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
              order={moduleOrder}
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
          {banners.data && modules.data && <HomePreview banners={bannerOrder.rows} modules={moduleOrder.rows} />}
        </div>
        <HomeFrame key={saves} />
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
