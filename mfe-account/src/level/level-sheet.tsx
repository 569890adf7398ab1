import type { LevelList, OwnLevel } from '@shop/server/wire';
import { getQuery } from '@shop/shared/http';
import { useFormatDate } from '@shop/shared/i18n';
import { formatMoney } from '@shop/shared/money';
import { useQuery } from '@shop/shared/query';
import { Sheet, Tag, Waiting } from '@shop/shared/ui';
import { useTexts } from '../texts';

const ownLevelQuery = getQuery('/api/front/user/level', ['account', 'own-level']);

export function LevelSheet({ open, onClose, levels }: { open: boolean; onClose: () => void; levels: LevelList }) {
  const { t } = useTexts();
  const own = useQuery({ ...ownLevelQuery, enabled: open });
  const { data } = own;
  return (
    <Sheet open={open} onClose={onClose} title={t('level.title')}>
      {data ? (
        <div className="ui-stack ui-gap-4">
          <Standing userLevel={data} levels={levels} />
          <ol className="account-levels ui-stack">
            {levels.map((level) => (
              <li key={level.id} className="ui-row ui-wrap" aria-current={level.id === data.id ? 'true' : undefined}>
                <span className="account-strong">{level.name}</span>
                {level.id === data.id && <Tag tone="accent">{t('level.yours')}</Tag>}
                <span className="ui-muted account-levels__terms">
                  <Terms level={level} />
                </span>
              </li>
            ))}
          </ol>
          <p className="ui-hint">{t('level.rule')}</p>
        </div>
      ) : (
        <Waiting query={own} heights={[220]} />
      )}
    </Sheet>
  );
}

function Standing({ userLevel, levels }: { userLevel: OwnLevel; levels: LevelList }) {
  const { t } = useTexts();
  const formatDate = useFormatDate();
  const nameOf = (id: number | null) => levels.find((level) => level.id === id)?.name;
  const current = nameOf(userLevel.id);
  const next = userLevel.next && nameOf(userLevel.next.id);
  return (
    <div className="ui-stack ui-gap-1">
      <p className="account-levels__own">{current ? t('level.own', { name: current }) : t('level.none')}</p>
      {userLevel.given?.until && (
        <p className="ui-muted">{t('level.until', { time: formatDate(userLevel.given.until) })}</p>
      )}
      {userLevel.next && next && (
        <p>
          {t('level.missing', {
            name: next,
            amounts: userLevel.next.missing
              .map(({ amount, currency }) => formatMoney(amount, currency))
              .join(t('level.or')),
          })}
        </p>
      )}
    </div>
  );
}

function Terms({ level: { percent, own_prices, thresholds, period_days } }: { level: LevelList[number] }) {
  const { t, language } = useTexts();
  const amounts = thresholds.map(({ amount, currency }) => formatMoney(amount, currency)).join(t('level.or'));
  const parts = [
    ...(percent < 100 ? [t('level.off', { count: language === 'en' ? 100 - percent : percent / 10 })] : []),
    ...(own_prices ? [t('level.ownPrices')] : []),
    period_days === null ? t('level.byShop') : t('level.reached', { count: period_days, amounts }),
  ];
  return parts.join(' · ');
}
