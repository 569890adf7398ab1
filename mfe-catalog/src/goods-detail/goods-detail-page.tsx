import type { GoodsInfo } from '@shop/server/wire';
import { ErrorCode, GoodsStatus } from '@shop/shared/domain';
import { isApiError } from '@shop/shared/http';
import { linkTo } from '@shop/shared/links';
import { prefetch, useQuery } from '@shop/shared/query';
import { usePageTitle, useParams } from '@shop/shared/router';
import type { LoaderArguments } from '@shop/shared/routing';
import { Button, Card, Empty, ErrorState, PageBody, Skeleton, VisuallyHidden } from '@shop/shared/ui';
import { useState } from 'react';
import { goodsDetailQuery } from '../common/goods.queries';
import { useTexts } from '../texts';
import { GoodsForm } from './goods-form';
import './goods-detail.css';

export function loader({ params }: LoaderArguments): void {
  const id = readId(params.id);
  if (id) prefetch(goodsDetailQuery(id));
}

function readId(text: string | undefined): number | null {
  const id = Number(text);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

/** A retry does not help after these codes. */
const goneCodes = [
  ErrorCode.GoodsUnavailable,
  ErrorCode.CurrencyNotOffered,
  ErrorCode.NotFound,
  ErrorCode.InvalidInput,
];

export function Component() {
  const { t } = useTexts();
  const id = readId(useParams().id);
  const answer = useQuery({ ...goodsDetailQuery(id ?? 0), enabled: id !== null });
  const goods = useKept(id, answer.data);
  const gone =
    !id || goods?.status === GoodsStatus.OffShelf || goneCodes.some((code) => isApiError(answer.error, code));
  usePageTitle(gone ? t('goodsDetail.gone') : goods?.name);

  if (goods && !gone) return <GoodsForm key={goods.id} goods={goods} refreshGoods={answer.refetch} />;
  const isOtherCurrency = isApiError(answer.error, ErrorCode.CurrencyNotOffered);
  return (
    <PageBody>
      <VisuallyHidden as="h1">{t('goodsDetail.title')}</VisuallyHidden>
      {gone ? (
        <Empty
          art="box"
          title={t('goodsDetail.gone')}
          description={isOtherCurrency ? answer.error?.message : t('goodsDetail.goneText')}
          action={<Button to={linkTo('goods-list')}>{t('allGames')}</Button>}
        />
      ) : answer.error ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : (
        <GoodsSkeleton />
      )}
    </PageBody>
  );
}

/**
 * A change of user or language clears the query cache; the last goods stay on screen until the new answer arrives, so that no
 * input is lost.
 */
function useKept(id: number | null, data: GoodsInfo | undefined): GoodsInfo | undefined {
  const [lastGoods, setLastGoods] = useState(data);
  if (data && data !== lastGoods) setLastGoods(data);
  return data ?? (lastGoods?.id === id ? lastGoods : undefined);
}

const places = [1, 2, 3, 4, 5, 6];

function GoodsSkeleton() {
  return (
    <div className="catalog-goods-detail" aria-hidden="true">
      <div className="catalog-goods-detail__main">
        <div className="catalog-hero ui-row ui-gap-4">
          <Skeleton className="catalog-hero__cover" />
          <div className="catalog-hero__text ui-stack ui-gap-2 ui-grow">
            <Skeleton shape="text" width="60%" />
            <Skeleton shape="text" width="40%" />
          </div>
        </div>
        <Card className="catalog-specs">
          {places.map((place) => (
            <Skeleton key={place} shape="block" width="100%" height="76px" />
          ))}
        </Card>
      </div>
      <div className="catalog-goods-detail__side">
        <div className="catalog-goods-detail__summary">
          <Card>
            <Skeleton shape="text" lines={4} />
          </Card>
        </div>
      </div>
    </div>
  );
}
