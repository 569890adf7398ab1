import type { StaffBanner } from '@shop/server/wire';
import { Checkbox } from '@shop/shared/ui';
import { EditPage } from '../edits/edit-page';
import { InBoth, PictureField } from '../edits/fields';
import { Period } from '../edits/time-field';
import { NumberField, Part } from '../goods/inputs';
import { fieldName } from './field-name';
import { LinkField } from './link-field';
import { useTexts } from './texts';

const none = { 'zh-CN': '', en: '' };
const freshBanner: StaffBanner = {
  title: none,
  image: '',
  image_alt: none,
  link_type: 0,
  link_value: '',
  sort: 100,
  shown: false,
  starts_at: null,
  ends_at: null,
};

export function BannerForm({ bannerKey, isNew }: { bannerKey: string; isNew?: boolean }) {
  const { t } = useTexts();
  return (
    <EditPage<StaffBanner>
      list="home"
      all={t('all')}
      newTitle={t('addBanner')}
      isNew={isNew}
      fresh={freshBanner}
      place="home/banner"
      path="banners"
      itemKey={bannerKey}
      label={fieldName}
    >
      {(draft, set) => (
        <>
          <Part title={t('basics')}>
            <InBoth
              label={t('name')}
              value={draft.title}
              onValue={(title) => set({ title })}
              maxLength={100}
              required
            />
            <PictureField label={t('image')} kind="banners" value={draft.image} onValue={(image) => set({ image })} />
            <InBoth
              label={t('alt')}
              value={draft.image_alt}
              onValue={(image_alt) => set({ image_alt })}
              maxLength={200}
              required
            />
            <LinkField value={draft} set={set} />
            <Order value={draft} set={set} />
          </Part>
          <Period value={draft} set={set} />
        </>
      )}
    </EditPage>
  );
}

interface OrderProps {
  value: { sort: number; shown: boolean };
  set(change: { sort?: number; shown?: boolean }): void;
}

/** Where it stands on the home page, if at all. */
export function Order({ value, set }: OrderProps) {
  const { t } = useTexts();
  return (
    <>
      <NumberField
        label={t('sort')}
        hint={t('sortHint')}
        value={value.sort}
        min={0}
        onValue={(sort) => set({ sort: sort ?? 0 })}
      />
      <Checkbox checked={value.shown} onChange={(shown) => set({ shown })}>
        {t('shown')}
      </Checkbox>
    </>
  );
}
