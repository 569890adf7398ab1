import type { GoodsInfo } from '@shop/server/wire';
import { observer } from '@shop/shared/state';
import { copyText, toast } from '@shop/shared/ui';
import { FavouritesContext, useFavourites } from '../favourites/favourites';
import { Heart } from '../favourites/heart';

import { useTexts } from '../texts';

export const GoodsTools = observer(function GoodsTools({ goods }: { goods: GoodsInfo }) {
  const { t } = useTexts();
  const favourites = useFavourites();
  const share = async () => {
    const url = `${location.origin}/goods/${goods.id}`;
    if (navigator.share) {
      try {
        return await navigator.share({ title: goods.name, url });
      } catch (error) {
        // The user closed the sheet. After any other error, for example without a sheet, the link is copied.
        if ((error as Error).name === 'AbortError') return;
      }
    }
    if (await copyText(url)) toast.success(t('share.copied'));
    else toast.error(t('share.failed', { url }));
  };
  return (
    <span className="catalog-tools">
      <FavouritesContext value={favourites}>
        <Heart goods={goods} />
      </FavouritesContext>
      <button
        type="button"
        className="ui-icon-button"
        aria-label={t('share.of', { name: goods.name })}
        onClick={() => void share()}
      >
        <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" className="ui-icon">
          <path d="M12 15V3.5M7.5 7.5 12 3l4.5 4.5M5 12v7.5h14V12" />
        </svg>
      </button>
    </span>
  );
});
