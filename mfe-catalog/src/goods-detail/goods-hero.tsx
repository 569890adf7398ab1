import type { GoodsInfo } from '@shop/server/wire';
import { rechargeKind } from '@shop/shared/domain';
import { measuredTime } from '@shop/shared/payment';
import { observer } from '@shop/shared/state';
import { copyText, Icon, Picture, Tag, toast } from '@shop/shared/ui';
import { HeartButton, useFavourites } from '../favourites/heart';
import { useTexts } from '../texts';

export function GoodsHero({ goods }: { goods: GoodsInfo }) {
  const { t, language } = useTexts();
  const kind = rechargeKind(goods.recharge_type);
  const { delivery_seconds: seconds, sold } = goods;
  // "20,000" or "2 万".
  const count =
    language === 'en' || sold < 10_000
      ? sold.toLocaleString('en-US')
      : t('measured.tenThousands', { count: sold / 10_000 });
  return (
    <div className="catalog-hero ui-row ui-gap-4">
      <Picture src={goods.image} alt="" width={112} height={112} lazy={false} className="catalog-hero__cover" />
      <div className="catalog-hero__text ui-stack ui-gap-2 ui-grow">
        <h1>{goods.name}</h1>
        <p className="catalog-card__tags ui-row ui-gap-1 ui-wrap">
          {kind && <Tag tone="accent">{t(`kind.${kind}`)}</Tag>}
          {goods.tags.map((tag) => (
            <Tag key={tag}>{tag}</Tag>
          ))}
        </p>
        {kind && (
          <p className="catalog-hero__delivery ui-row ui-gap-1 ui-muted">
            <Icon name="clock" size={16} />
            <span>
              {t(`delivery.${kind}`)}
              {seconds !== null && ` · ${t('measured.time', { duration: measuredTime(seconds, language) })}`}
            </span>
          </p>
        )}
        <div className="ui-row ui-gap-2 ui-spread">
          {/* Fewer sales say nothing about a product. */}
          {sold >= 10 && <p className="ui-muted">{t('measured.sold', { count })}</p>}
          <GoodsTools goods={goods} />
        </div>
      </div>
    </div>
  );
}

const GoodsTools = observer(function GoodsTools({ goods }: { goods: GoodsInfo }) {
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
      <HeartButton goods={goods} isOn={favourites.has(goods.id)} />
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
