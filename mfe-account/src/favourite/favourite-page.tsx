import type { Favourite } from '@shop/server/wire';
import { del, get } from '@shop/shared/http';
import { linkTo } from '@shop/shared/links';
import { useSingleFlight } from '@shop/shared/payment';
import { invalidate, listQueryOptions, useListQuery } from '@shop/shared/query';
import { Link } from '@shop/shared/router';
import { Button, Card, Empty, IconButton, LoadMore, PageBody, Picture, Price, toast, Waiting } from '@shop/shared/ui';
import { useTexts } from '../texts';
import '../account.css';

const favourite = '/api/front/user/favourite';

/** The key has the prefix of the favourite buttons' queries, so a change on another page refetches this list. */
const favouritesQuery = (language: string) =>
  listQueryOptions(['favourites', 'list', language], (page, cursor) =>
    get(favourite, { page, cursor }, { quiet: true }),
  );

export function Component() {
  const { t, language } = useTexts();
  const goods = useListQuery(favouritesQuery(language));
  return (
    <PageBody>
      {goods.items.length > 0 ? (
        <div>
          <ul className="account-favourites ui-stack" aria-label={t('centre.favourites')}>
            {goods.items.map((item) => (
              <li key={item.id}>
                <Row goods={item} />
              </li>
            ))}
          </ul>
          <LoadMore list={goods} />
        </div>
      ) : goods.error || goods.isLoading ? (
        <Waiting
          query={{ error: goods.error, refetch: goods.refresh }}
          heights={[96, 96, 96, 96]}
          className="account-favourites"
        />
      ) : (
        <Empty
          art="box"
          title={t('favourites.empty')}
          description={t('favourites.emptyHint')}
          action={<Button to={linkTo('goods-list')}>{t('common.browse')}</Button>}
        />
      )}
    </PageBody>
  );
}

function Row({ goods }: { goods: Favourite }) {
  const { t } = useTexts();
  const removing = useSingleFlight(async () => {
    try {
      await del(favourite, { goods_id: goods.id });
      toast.success(t('favourites.removed'));
    } finally {
      // A failed call may have reached the server, so the list is refetched then too.
      await invalidate(['favourites']);
    }
  });
  return (
    <Card padding="s" className="account-favourite ui-row ui-gap-2">
      <Link to={linkTo('goods-detail', { id: goods.id })} className="ui-row ui-grow">
        <Picture src={goods.image} alt="" width={72} height={72} />
        <span className="ui-grow">
          <span className="account-favourite__name ui-bold">{goods.name}</span>
          {goods.available && goods.min_price ? (
            <span>
              <Price amount={goods.min_price} currency={goods.currency} size="s" from />{' '}
              {goods.sold_out && <small className="ui-muted">{t('favourites.soldOut')}</small>}
            </span>
          ) : (
            <small className="ui-muted">{t('favourites.gone')}</small>
          )}
        </span>
      </Link>
      <IconButton
        icon="trash"
        size={20}
        label={t('favourites.remove', { name: goods.name })}
        onClick={() => void removing.run()}
      />
    </Card>
  );
}
