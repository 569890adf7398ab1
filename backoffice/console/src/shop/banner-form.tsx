import type { StaffBanner } from '@shop/backoffice/wire';
import { LinkType } from '@shop/shared/domain';
import { EditPage } from '../edits/editor';
import { Fields } from '../kit/fields';
import { none, Part, Period } from '../kit/part';
import { bannerShown, bannerTexts, homeFieldName } from './home-fields';
import { useTexts } from './home-texts';
import { LinkField } from './link-field';

export const freshBanner: StaffBanner = {
  title: none,
  image: '',
  image_alt: none,
  link_type: LinkType.None,
  link_value: '',
  sort: 100,
  shown: false,
  starts_at: null,
  ends_at: null,
};

interface BannerFormProps {
  bannerKey: string;
  sort?: number;
}

export function BannerForm({ bannerKey, sort }: BannerFormProps) {
  const { t } = useTexts();
  const isNew = sort !== undefined;
  return (
    <EditPage
      path="banners"
      itemKey={bannerKey}
      fresh={isNew ? { ...freshBanner, sort } : undefined}
      label={homeFieldName}
      all={t('all')}
      title={isNew ? t('addBanner') : undefined}
      place="home/banner"
    >
      {(draft, setAt) => (
        <>
          <Part title={t('basics')}>
            <Fields of={bannerTexts} t={t} />
            <LinkField value={draft} setAt={setAt} />
            <Fields of={bannerShown} t={t} />
          </Part>
          <Period />
        </>
      )}
    </EditPage>
  );
}
