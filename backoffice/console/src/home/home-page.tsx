import type { ShownState } from '@shop/server/wire';
import { Button, Empty, ErrorState } from '@shop/shared/ui';
import { type ReactNode, useState } from 'react';
import { useApi } from '../api';
import { newKey } from '../edits/new-key';
import { StateTag } from '../edits/state-tag';
import { go } from '../location';
import { Item, Loading } from '../parts';
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
  const error = banners.error ?? modules.error;
  if (error && !(banners.data && modules.data)) {
    const retry = () => {
      void banners.refetch();
      void modules.refetch();
    };
    return <ErrorState error={error} onRetry={retry} />;
  }
  return (
    <>
      <h1>{t('title')}</h1>
      <Group
        title={t('banners')}
        action={
          <Button icon="plus" onClick={() => go('home/new-banner')}>
            {t('addBanner')}
          </Button>
        }
        empty={t('noBanners')}
        list={banners.data?.map(({ key, state, value }) => ({
          href: `#/home/banner/${key}`,
          name: value.title[language],
          state,
          image: value.image,
          hint: key,
        }))}
      />
      <Group
        title={t('modules')}
        action={
          <Button icon="plus" onClick={() => go('home/new-module')}>
            {t('addModule')}
          </Button>
        }
        empty={t('noModules')}
        list={modules.data?.map(({ key, state, value }) => ({
          href: `#/home/module/${key}`,
          name: value.title[language],
          state,
          hint: `${templateName(value.template)} · ${t('items', { count: value.items.length })}`,
        }))}
      />
      {banners.data && modules.data && <HomePreview banners={banners.data} modules={modules.data} />}
    </>
  );
}

interface Entry {
  href: string;
  name: string;
  state: ShownState;
  image?: string;
  hint: string;
}

function Group({ title, action, empty, list }: { title: string; action: ReactNode; empty: string; list?: Entry[] }) {
  return (
    <section className="list" aria-label={title}>
      <div className="row">
        <h2 className="grow">{title}</h2>
        {action}
      </div>
      {!list && <Loading lines={4} />}
      {list?.length === 0 && <Empty title={empty} />}
      {list?.map(({ href, name, state, image, hint }) => (
        <Item key={href} href={href} title={name} tags={<StateTag state={state} />} note={hint} image={image} />
      ))}
    </section>
  );
}
