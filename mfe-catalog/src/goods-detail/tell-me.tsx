import type { GoodsInfo } from '@shop/server/wire';
import { del, get, post } from '@shop/shared/http';
import { linkTo } from '@shop/shared/links';
import { useSingleFlight } from '@shop/shared/payment';
import { queryClient, queryOptions, useQuery } from '@shop/shared/query';
import { useNavigate } from '@shop/shared/router';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Chip, confirm, toast } from '@shop/shared/ui';
import { useGoodsTexts } from './goods-texts';
import { canBuy } from './selection';

const wishes = '/api/front/user/stockWish';
const wishesQuery = (goodsId: number) =>
  queryOptions({
    queryKey: ['catalog', 'stock-wishes', goodsId],
    queryFn: async () => (await get(wishes, { goods_id: goodsId }, { quiet: true })).spec_ids,
  });

/** Subscribes to a notice when a face value is in stock again. A guest signs in first. */
export const TellMe = observer(function TellMe({ goods }: { goods: GoodsInfo }) {
  const { t } = useGoodsTexts();
  const session = useSession();
  const navigate = useNavigate();
  const query = wishesQuery(goods.id);
  const { data: waiting = [] } = useQuery({ ...query, enabled: session.hasUser });
  const change = useSingleFlight(async (specId: number, isWanted: boolean) => {
    const { waiting: isWaiting, channels } = isWanted
      ? await post(wishes, { spec_id: specId })
      : await del(wishes, { spec_id: specId });
    queryClient.setQueryData(query.queryKey, (ids = []) => [
      ...ids.filter((id) => id !== specId),
      ...(isWaiting ? [specId] : []),
    ]);
    if (!isWanted) return toast.success(t('tellMe.off'));
    if (isWaiting) return toast.success(t(channels.includes('push') ? 'tellMe.onPush' : 'tellMe.on'));
    const goesOn = await confirm({
      title: t('tellMe.noWay'),
      content: t('tellMe.noWayHint'),
      confirmText: t('tellMe.toSettings'),
      cancelText: t('tellMe.notNow'),
    });
    if (goesOn) await navigate(linkTo('notice-settings'));
  });

  const toggle = async (specId: number) => {
    if (session.hasToken) return change.run(specId, !waiting.includes(specId));
    if (await session.openLogin()) await change.run(specId, true);
  };

  return (
    <div className="catalog-tell ui-stack ui-gap-2">
      <p className="ui-muted">{t('tellMe.title')}</p>
      <ul className="catalog-accounts ui-row ui-gap-2 ui-wrap" aria-label={t('tellMe.title')}>
        {goods.specs
          .filter((spec) => !canBuy(spec))
          .map((spec) => (
            <li key={spec.id}>
              <Chip selected={waiting.includes(spec.id)} onClick={() => void toggle(spec.id)}>
                {spec.name}
              </Chip>
            </li>
          ))}
      </ul>
    </div>
  );
});
