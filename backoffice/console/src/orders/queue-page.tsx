import type { Queue, QueueOrder } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { formatMoney as money } from '@shop/shared/money';
import { invalidate } from '@shop/shared/query';
import { Checkbox, Empty, Tag, VisuallyHidden } from '@shop/shared/ui';
import { Suspense, useEffect, useRef, useState } from 'react';
import { api, useApi } from '../api';
import { useKeys } from '../keys';
import { type Column, RowLink, TableOf } from '../kit/list-table';
import { Loaded, Loading, useAction } from '../kit/parts';
import { go, placeNow } from '../location';
import { lazyPage } from '../pages';
import { setSound, soundIsOn } from '../preferences';
import { useTexts } from '../texts';

const OrderPanel = lazyPage(async () => (await import('./order-panel')).OrderPanel);

const POLL_MS = 5_000;

function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

export function QueuePage({ place: [orderNo] }: { place: string[] }) {
  const { t } = useTexts();
  // In a background tab the queue still updates the title and plays its sound; a poll extends the session.
  const polling = {
    inOneLanguage: true,
    refetchInterval: POLL_MS,
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: true,
  };
  const query = useApi('GET queue', {}, polling);
  const { data, dataUpdatedAt } = query;
  // The clock of this device may be wrong.
  const now = useNow() + (data ? Date.parse(data.server_time) - dataUpdatedAt : 0);
  const { run } = useAction();
  const orders = data?.orders ?? [];
  const index = orders.findIndex((order) => order.order_no === orderNo);
  const order = orders[index];
  const news = useNews(data);

  const show = (at: number) => {
    const next = orders[Math.max(0, Math.min(orders.length - 1, at))];
    if (next) go(`queue/${next.order_no}`);
  };
  const [taking, setTaking] = useState<string>();
  const take = async ({ order_no, taken }: Pick<QueueOrder, 'order_no' | 'taken'>) => {
    if (!taken?.mine) setTaking(order_no);
    await run(() => api('POST queue/take', { order_no }).finally(() => invalidate(['queue'])));
    setTaking((now) => (now === order_no ? undefined : now));
  };
  // Reads the address, which a key changes before the page is rendered again.
  const indexNow = () => orders.findIndex((order) => order.order_no === placeNow()[1]);
  useKeys({
    j: () => show(indexNow() + 1),
    k: () => show(indexNow() - 1),
    Enter: () => {
      const shown = orders[indexNow()];
      if (!shown) show(0);
      else if (!shown.taken?.mine) void take(shown);
    },
    t: () => {
      const shown = orders[indexNow()];
      if (shown) void take(shown);
    },
  });

  return (
    <div className={`stack queue ${orderNo ? 'has-order' : ''}`}>
      <section aria-labelledby="queue-title" className="stack queue__list">
        <h1 id="queue-title">
          {t('nav.queue')} {data && <span className="hint">{t('queue.count', { count: orders.length })}</span>}
        </h1>
        <VisuallyHidden>
          <span role="status">{news > 0 && t('queue.news', { count: news })}</span>
        </VisuallyHidden>
        <SoundSwitch />
        <Loaded query={query}>
          {() =>
            orders.length === 0 ? (
              <Empty title={t('queue.empty')} description={t('queue.emptyText')} />
            ) : (
              <QueueTable orders={orders} shown={order} now={now} />
            )
          }
        </Loaded>
      </section>
      {order && (
        <Suspense fallback={<Loading />}>
          <OrderPanel
            key={order.order_no}
            order={order}
            due={<Due at={order.due_at} now={now} />}
            now={now}
            isTaking={taking === order.order_no}
            onTake={() => void take(order)}
            onDone={() => show(index + 1)}
          />
        </Suspense>
      )}
      {orderNo && !order && data && (
        <section className="card queue__order">
          <p>{t('queue.gone')}</p>
          <p>
            <a href="#/queue">{t('queue.back')}</a> · <a href={`#/find/${orderNo}`}>{t('queue.find')}</a>
          </p>
        </section>
      )}
    </div>
  );
}

/** The number of orders that have arrived since the queue first appeared. The title of the tab counts the waiting ones. */
function useNews(data: Queue | undefined): number {
  const { t } = useTexts();
  const seen = useRef<Set<string> | null>(null);
  const [news, setNews] = useState(0);
  useEffect(() => {
    if (!data) return;
    const fresh = data.orders.filter((order) => seen.current && !seen.current.has(order.order_no));
    if (fresh.length > 0) setNews(fresh.length);
    if (fresh.length > 0 && soundIsOn()) playNewOrderSound();
    seen.current = new Set([...(seen.current ?? []), ...data.orders.map((order) => order.order_no)]);
    document.title = data.orders.length > 0 ? `(${data.orders.length}) ${t('title')}` : t('title');
    return () => {
      document.title = t('title');
    };
  }, [data, t]);
  return news;
}

/** Switching the sound on plays it: the user hears it, and the browser allows it from then on. */
function SoundSwitch() {
  const { t } = useTexts();
  const [on, setOn] = useState(soundIsOn);
  const change = (isOn: boolean) => {
    setOn(isOn);
    setSound(isOn);
    if (isOn) playNewOrderSound();
  };
  return (
    <Checkbox checked={on} onChange={change}>
      {t('queue.sound')}
    </Checkbox>
  );
}

const scrollToLink = (link: HTMLAnchorElement | null) => link?.scrollIntoView({ block: 'nearest' });

function QueueTable({ orders, shown, now }: { orders: QueueOrder[]; shown: QueueOrder | undefined; now: number }) {
  const { t } = useTexts();
  const columns: Column<QueueOrder>[] = [
    {
      head: t('product'),
      cell: (order) => (
        <RowLink
          ref={order === shown ? scrollToLink : undefined}
          href={`#/queue/${order.order_no}`}
          note={distinguishingFields(order).join(' · ')}
        >
          {order.name}
        </RowLink>
      ),
    },
    { head: t('queue.due'), cell: ({ due_at }) => <Due at={due_at} now={now} />, kind: 'sign' },
    { head: t('order.value'), cell: ({ face_value, quantity }) => `${face_value} × ${quantity}`, kind: 'sign' },
    { head: t('queue.amount'), cell: ({ amount, currency }) => money(amount, currency), kind: 'number' },
    { head: t('paidAt'), cell: ({ paid_at }) => formatDate(paid_at), kind: 'sign' },
    { head: t('status'), cell: (order) => <Signs order={order} />, kind: 'sign' },
  ];
  return (
    <TableOf
      label={t('nav.queue')}
      columns={columns}
      rows={orders}
      keyOf={({ order_no }) => order_no}
      isCurrent={(order) => order === shown}
    />
  );
}

function Due({ at, now }: { at: string; now: number }) {
  const { t } = useTexts();
  const minutes = Math.floor((Date.parse(at) - now) / 60_000);
  const hours = Math.floor(Math.abs(minutes) / 60);
  const amount = hours >= 2 ? t('queue.hours', { count: hours }) : t('queue.minutes', { count: Math.abs(minutes) });
  if (minutes < 0) return <Tag tone="danger">{t('queue.late', { amount })}</Tag>;
  if (minutes === 0) return <Tag tone="danger">{t('queue.lastMinute')}</Tag>;
  return <Tag tone={minutes < 10 ? 'warning' : 'success'}>{t('queue.left', { amount })}</Tag>;
}

function Signs({ order: { question, kind, held, taken } }: { order: QueueOrder }) {
  const { t } = useTexts();
  const isAnswered = question?.answered_at;
  return (
    <span className="tags">
      {question && (
        <Tag tone={isAnswered ? 'success' : 'neutral'}>{t(isAnswered ? 'queue.isAnswered' : 'queue.isAsked')}</Tag>
      )}
      {kind === 'refund' && <Tag tone="accent">{t('queue.refundWish')}</Tag>}
      {held && <Tag tone="warning">{t('queue.held.tag')}</Tag>}
      {taken && (
        <Tag tone={taken.mine ? 'success' : 'neutral'}>
          {taken.mine ? t('queue.mine') : t('queue.takenBy', { name: taken.by })}
        </Tag>
      )}
    </span>
  );
}

/** Distinguishes two orders of one product: the masked account and its server, else the end of the order's number. */
function distinguishingFields({ fields, order_no }: QueueOrder): string[] {
  // A short value is fully masked.
  const visible = fields.map(({ value }) => value).filter((value) => value !== '••••');
  return visible.length > 0 ? visible.slice(0, 2) : [`…${order_no.slice(-4)}`];
}

let context: AudioContext | undefined;

/** Plays two soft tones of 0.3 s. A browser plays none before the first click on the page; the count in the tab's title works anyway. */
function playNewOrderSound(): void {
  context ??= new AudioContext();
  void context.resume();
  const volume = new GainNode(context, { gain: 0.15 });
  volume.connect(context.destination);
  for (const [index, frequency] of [880, 1175].entries()) {
    const tone = new OscillatorNode(context, { frequency });
    tone.connect(volume);
    const start = context.currentTime + index * 0.15;
    tone.start(start);
    tone.stop(start + 0.14);
  }
}
