import type { ShownState } from '@shop/backoffice/wire';
import type { UseQueryResult } from '@shop/shared/query';
import { Button } from '@shop/shared/ui';
import { useState } from 'react';
import { useApi } from '../api';
import { newKey } from '../edits/new-key';
import { StateTag } from '../edits/state-tag';
import { go } from '../location';
import { Item, type ItemProps, List } from '../parts';
import { BannerForm } from './banner-form';
import { HomePreview } from './home-preview';
import { ModuleForm } from './module-form';
import { templateName, useTexts } from './texts';

/** `#/home`, `#/home/banner/<key>`, `#/home/module/<key>`, `#/home/new-banner`, `#/home/new-module`. */
export function HomePage({ place: [what, key = ''] }: { place: string[] }) {
  const [fresh] = useState(() => ({ banner: newKey('banner'), module: newKey('module') }));
  switch (what) {
    case 'banner':
      return <BannerForm key={key} bannerKey={key} />;
    case 'module':
      return <ModuleForm key={key} moduleKey={key} />;
    case 'new-banner':
      return <BannerForm key={fresh.banner} bannerKey={fresh.banner} isNew />;
    case 'new-module':
      return <ModuleForm key={fresh.module} moduleKey={fresh.module} isNew />;
    default:
      return <Arrangement />;
  }
}

function Arrangement() {
  const { t, language } = useTexts();
  const banners = useApi('GET banners', {});
  const modules = useApi('GET modules', {});
  return (
    <>
      <h1>{t('title')}</h1>
      <Group title={t('banners')} kind="banner" add={t('addBanner')} query={banners} empty={t('noBanners')}>
        {({ key, value }) => ({ title: value.title[language], image: value.image, note: key })}
      </Group>
      <Group title={t('modules')} kind="module" add={t('addModule')} query={modules} empty={t('noModules')}>
        {({ value }) => ({
          title: value.title[language],
          note: `${templateName(value.template)} · ${t('items', { count: value.items.length })}`,
        })}
      </Group>
      {banners.data && modules.data && <HomePreview banners={banners.data} modules={modules.data} />}
    </>
  );
}

interface GroupProps<T> {
  title: string;
  kind: 'banner' | 'module';
  add: string;
  query: UseQueryResult<T[]>;
  empty: string;
  children(one: T): Pick<ItemProps, 'title' | 'image' | 'note'>;
}

function Group<T extends { key: string; state: ShownState }>(props: GroupProps<T>) {
  const { title, kind, add, query, empty, children } = props;
  return (
    <section className="list" aria-label={title}>
      <div className="row">
        <h2 className="grow">{title}</h2>
        <Button icon="plus" onClick={() => go(`home/new-${kind}`)}>
          {add}
        </Button>
      </div>
      <List query={query} empty={empty} lines={4}>
        {(one) => (
          <Item
            key={one.key}
            href={`#/home/${kind}/${one.key}`}
            tags={<StateTag state={one.state} />}
            {...children(one)}
          />
        )}
      </List>
    </section>
  );
}
