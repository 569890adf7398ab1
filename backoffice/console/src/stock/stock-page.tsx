import type { StaffStock } from '@shop/server/wire';
import { Button, Empty, Tag } from '@shop/shared/ui';
import { useApi } from '../api';
import { SearchForm } from '../forms/search-form';
import { go } from '../location';
import { BackLink, Item, ListState, Loaded } from '../parts';
import { FreeCodes } from './free-codes';
import { ImportCodes } from './import-codes';
import { StockSettings } from './stock-settings';
import { useTexts } from './texts';

/** `#/stock`, `#/stock/find/<words>`, `#/stock/of/<goods>/<spec>`, `#/stock/import`. */
export function StockPage({ place: [what, text = '', spec = ''] }: { place: string[] }) {
  const { t } = useTexts();
  if (what === 'of') return <SpecStock goods={text} spec={spec} />;
  if (what !== 'import') return <StockList words={what === 'find' ? text : ''} />;
  return (
    <>
      <BackLink to="stock">{t('all')}</BackLink>
      <h1>{t('importAll')}</h1>
      <ImportCodes goods="" spec="" />
    </>
  );
}

function StockList({ words }: { words: string }) {
  const { t } = useTexts();
  const query = useApi('GET stock', { q: words });
  const { data, isFetching } = query;
  return (
    <>
      <h1>{t('title')}</h1>
      <SearchForm
        t={t}
        words={words}
        label="search"
        hint="searchHint"
        submit={t('find')}
        onSearch={(wanted) => go(`stock/find/${encodeURIComponent(wanted)}`)}
        more={
          <Button kind="secondary" icon="plus" onClick={() => go('stock/import')}>
            {t('importAll')}
          </Button>
        }
      />
      <div className="list" aria-live="polite" aria-busy={isFetching}>
        <ListState query={query} isEmpty={data?.length === 0} empty={t('empty')} art="search" />
        {data?.map((one) => (
          <StockItem key={`${one.goods}/${one.spec}`} stock={one} />
        ))}
      </div>
    </>
  );
}

function StockItem({ stock }: { stock: StaffStock }) {
  const { t, language } = useTexts();
  const { goods, spec, pieces, low, expiring } = stock;
  const isOut = pieces === 0;
  return (
    <Item
      href={`#/stock/of/${goods}/${spec}`}
      title={`${stock.name[language]} · ${stock.spec_name[language]}`}
      tags={low && <Tag tone={isOut ? 'danger' : 'warning'}>{t(isOut ? 'out' : 'low')}</Tag>}
      note={expiring > 0 ? t('expiring', { count: expiring }) : `${goods} · ${spec}`}
      end={t('pieces', { count: pieces })}
    />
  );
}

function SpecStock({ goods, spec }: { goods: string; spec: string }) {
  const { t, language } = useTexts();
  return (
    <>
      <BackLink to="stock">{t('all')}</BackLink>
      <Loaded query={useApi('GET stock', { q: goods })}>
        {(all) => {
          const stock = all.find((one) => one.goods === goods && one.spec === spec);
          if (!stock) return <Empty title={t('gone')} />;
          return (
            <>
              <h1>
                {stock.name[language]} · {stock.spec_name[language]}{' '}
                <span className="hint">{t('pieces', { count: stock.pieces })}</span>
              </h1>
              {stock.codes && <ImportCodes goods={goods} spec={spec} />}
              <StockSettings key={`${stock.low_stock} ${stock.pieces}`} stock={stock} />
              {stock.codes && <FreeCodes goods={goods} spec={spec} />}
            </>
          );
        }}
      </Loaded>
    </>
  );
}
