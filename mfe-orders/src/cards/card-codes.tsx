import type { OrderCards, OrderCardsBody } from '@shop/server/wire';
import { ErrorCode } from '@shop/shared/domain';
import type { ProofWay } from '@shop/shared/forms';
import { isApiError, post } from '@shop/shared/http';
import { formatDate } from '@shop/shared/i18n';
import { RedeemSteps, useSingleFlight } from '@shop/shared/payment';
import { useQuery } from '@shop/shared/query';
import { type User, useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button, Card, CopyButton, classNames, Icon, notify, Section, Skeleton } from '@shop/shared/ui';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Order } from '../order/order';
import { goodsInfoQuery } from '../payment/payment.api';
import { ProofSheet } from '../proof/proof-sheet';
import { useTexts } from '../texts';

/** Up to this number all codes are rendered at once; above it a text file is offered too. */
const manyCards = 20;

type GameCard = OrderCards['cards'][number];

const lineOf = (card: GameCard): string => [card.card_no, card.card_pwd].filter(Boolean).join(' ');

const waysOf = (user: User | null): ProofWay[] => [
  ...(user?.hasPassword === false ? [] : (['password'] as const)),
  ...(user?.phone || user?.signInEmail ? (['verify'] as const) : []),
];

function download(orderNo: string, cards: GameCard[]): void {
  const address = URL.createObjectURL(new Blob([`${cards.map(lineOf).join('\r\n')}\r\n`], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `${orderNo}.txt`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/**
 * Keeps the codes in component state only, not in the query cache, so they are gone when the user leaves the page. Soon after the
 * sign-in the server shows new codes without a further proof; `isJustPaid` requests them without a click.
 */
export const CardCodes = observer(function CardCodes({ order, isJustPaid }: { order: Order; isJustPaid: boolean }) {
  const { t } = useTexts();
  const { user } = useSession();
  const [revealed, setRevealed] = useState<OrderCards | null>(null);
  const [verifying, setVerifying] = useState(false);
  const [showsAll, setShowsAll] = useState(false);
  /** Requested without a click and not answered yet. */
  const [areComing, setComing] = useState(isJustPaid);
  const reveal = async (proof: Omit<OrderCardsBody, 'order_no'>) =>
    setRevealed(await post('/api/front/order/cards', { order_no: order.order_no, ...proof }, { quiet: true }));
  const asking = useSingleFlight(async (isClicked: boolean) => {
    try {
      await reveal({});
    } catch (error) {
      if (!isApiError(error)) throw error;
      // A request without a click fails silently: the button is there.
      if (!isClicked || error.code === ErrorCode.Unauthorized) return;
      if (error.code === ErrorCode.VerificationRequired) setVerifying(true);
      else notify.danger(error.message || t('cards.failed'));
    } finally {
      setComing(false);
    }
  });
  const revealUnasked = useEffectEvent(() => void asking.run(false));
  useEffect(() => {
    if (isJustPaid) revealUnasked();
  }, [isJustPaid]);
  const { cards, redeem = [] } = revealed ?? {};
  const shown = showsAll ? cards : cards?.slice(0, manyCards);
  return (
    <Section
      title={t('cards.title')}
      className="orders-cards"
      action={<span>{t('cards.count', { count: order.cards_count })}</span>}
    >
      <span role="status" className="ui-visually-hidden">
        {cards ? t('cards.shown', { count: cards.length }) : ''}
      </span>
      {!cards && areComing ? (
        <CodesSkeleton order={order} />
      ) : !cards || !shown ? (
        <Card className="orders-cards__locked ui-stack ui-gap-4">
          <p>{t('cards.locked')}</p>
          <Button icon="lock" size="l" block onClick={() => void asking.run(true)} loading={asking.isPending}>
            {t('cards.reveal')}
          </Button>
        </Card>
      ) : (
        <Card>
          <div className="orders-cards__tools ui-row ui-gap-2 ui-wrap">
            {cards.length > 1 && <CopyButton text={cards.map(lineOf).join('\n')} label={t('cards.copyAll')} />}
            {(cards.length > manyCards || cards.some((card) => card.is_text)) && (
              <Button kind="secondary" size="s" onClick={() => download(order.order_no, cards)}>
                {t('cards.download')}
              </Button>
            )}
            <Button kind="ghost" size="s" icon="eye-off" onClick={() => setRevealed(null)}>
              {t('cards.hide')}
            </Button>
          </div>
          <ol className="ui-stack">
            {shown.map((card, index) => (
              <li key={card.id} className="orders-cards__card ui-stack ui-gap-2">
                {card.is_text ? (
                  <span className="orders-cards__text">
                    <Code label={t('cards.text')} value={card.card_no} copyLabel={t('cards.copyText')} />
                  </span>
                ) : (
                  <span className="ui-row ui-gap-2 ui-wrap ui-spread ui-muted">
                    {t('cards.card', { n: index + 1 })}
                    {card.expire_at && <span>{t('cards.expires', { date: formatDate(card.expire_at, 'day') })}</span>}
                  </span>
                )}
                {card.card_no && !card.is_text && (
                  <Code
                    label={t('cards.number')}
                    value={card.card_no}
                    copyLabel={card.card_pwd ? undefined : t('cards.copyNumber')}
                  />
                )}
                {card.card_pwd && (
                  <Code label={t('cards.password')} value={card.card_pwd} copyLabel={t('cards.copyPassword')} />
                )}
              </li>
            ))}
          </ol>
          {shown.length < cards.length && (
            <Button kind="ghost" block onClick={() => setShowsAll(true)}>
              {t('cards.showAll', { count: cards.length })}
            </Button>
          )}
          {redeem.length > 0 && <Redeem steps={redeem} />}
        </Card>
      )}
      <ProofSheet
        open={verifying}
        onClose={() => setVerifying(false)}
        ways={waysOf(user)}
        purpose="cards"
        submitText={t('cards.confirm')}
        onProof={async (proof) => {
          await reveal(proof);
          setVerifying(false);
        }}
      />
    </Section>
  );
});

function Redeem({ steps }: { steps: string[] }) {
  const { t } = useTexts();
  return (
    <div className="orders-cards__redeem ui-ruled ui-stack ui-gap-2">
      <h3>{t('cards.redeem')}</h3>
      <RedeemSteps steps={steps} />
    </div>
  );
}

/** The skeleton has the height of the codes, so that nothing moves. */
function CodesSkeleton({ order }: { order: Order }) {
  return (
    <Card aria-busy="true">
      <div className="ui-stack">
        <Skeleton width={96} height={44} />
        {Array.from({ length: Math.min(order.cards_count, manyCards) }, (_one, index) => (
          <Skeleton key={index} shape="card" className="orders-cards__coming" />
        ))}
      </div>
      <FutureRedeem order={order} />
    </Card>
  );
}

/** Reserves the space of the codes: after a payment on a desktop, where the payment is beside it, and while the codes are issued. */
export function FutureCodes({ order }: { order: Order }) {
  const { t } = useTexts();
  return (
    <Section
      title={t('cards.title')}
      className={classNames('orders-cards', order.phase === 'unpaid' && 'orders-cards--unpaid')}
    >
      <Card>
        <div className="ui-stack">
          <p className="orders-cards__number ui-muted">{t('cards.count', { count: order.quantity })}</p>
          {Array.from({ length: Math.min(order.quantity, manyCards) }, (_one, index) => (
            <div key={index} className="orders-cards__place">
              <Icon name="lock" size={22} />
            </div>
          ))}
        </div>
        <FutureRedeem order={order} />
      </Card>
    </Section>
  );
}

/** The product's redeem steps if they are loaded; until then the space of the usual three steps. */
function FutureRedeem({ order }: { order: Order }) {
  const { data: goods } = useQuery({ ...goodsInfoQuery(order.snapshot.goods_id), enabled: false });
  if (goods) return goods.redeem.length > 0 && <Redeem steps={goods.redeem} />;
  return (
    <div className="orders-cards__redeem ui-ruled ui-stack ui-gap-2">
      <Skeleton className="orders-cards__steps" />
    </div>
  );
}

/** The copy button copies the part that is typed to redeem; a click on the number selects it. */
function Code({ label, value, copyLabel }: { label: string; value: string; copyLabel: string | undefined }) {
  return (
    <span className="orders-cards__code ui-row ui-wrap">
      <span className="orders-cards__label ui-muted">{label}</span>
      <code translate="no">{value}</code>
      {copyLabel && <CopyButton text={value} label={copyLabel} />}
    </span>
  );
}
