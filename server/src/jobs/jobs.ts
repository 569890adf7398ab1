import { sendWebhooks } from '@platform/watch';
import { OrderStatus } from '@shop/shared/domain';
import { giveInvitationCoupons } from '../accounts/invitations/invitations.service';
import { eraseClosed } from '../accounts/privacy/closure.service';
import { removePictures } from '../accounts/uploads/remove-pictures.service';
import { markCodeTails } from '../catalogue/goods.store';
import { rebuildSearchTexts } from '../catalogue/search-text';
import type { AppContext, Job } from '../context';
import { expireCoupons } from '../coupons/coupons.service';
import { forgetHealth, healthStore } from '../health/health-store';
import { endHolds } from '../holds/holds.service';
import {
  collectCostHolds,
  collectLowStock,
  collectOrderNotices,
  collectReleaseNotices,
} from '../notices/collect-notices.service';
import { sendNotices } from '../notices/send-notices.service';
import { notifyBackInStock } from '../notices/stock-wishes.service';
import { askPayments } from '../payments/provider-calls.service';
import { reconcileDaily } from '../payments/reconcile.service';
import type { Sql } from '../platform/db/sql';
import { every } from '../platform/every';
import { pollSuppliers } from '../suppliers/supplier-offers.service';
import { serveSuppliers } from '../suppliers/suppliers.service';
import { forget, forgetOrderNetworks } from './forget';

const BATCH = 200;

export const jobs: Job[] = [
  { name: 'close-unpaid-orders', every: 15, run: ({ db }) => closeUnpaid(db) },
  { name: 'ask-suppliers', every: 3, run: serveSuppliers },
  { name: 'poll-suppliers', every: 5, run: pollSuppliers },
  { name: 'ask-payments', every: 5, run: askPayments },
  { name: 'reconcile', every: 600, run: (context) => reconcileDaily(context) },
  { name: 'expire-coupons', every: 60, run: ({ db }) => expireCoupons(db) },
  { name: 'end-holds', every: 15, run: endHolds },
  { name: 'give-invitation-coupons', every: 30, run: giveInvitationCoupons },
  { name: 'close-recharges', every: 60, run: ({ db }) => closeRecharges(db) },
  { name: 'forget-changes', every: 60, run: ({ db }) => forgetChanges(db) },
  { name: 'forget-health', every: 300, run: ({ db }) => forgetHealth(db) },
  { name: 'send-webhooks', every: 3, run: ({ db, config }) => sendWebhooks(healthStore(db), config.webhooks) },
  { name: 'collect-order-notices', every: 5, run: collectOrderNotices },
  { name: 'collect-low-stock', every: 300, run: collectLowStock },
  { name: 'collect-cost-holds', every: 5, run: collectCostHolds },
  { name: 'tell-back-in-stock', every: 30, run: notifyBackInStock },
  { name: 'collect-release-notices', every: 5, run: collectReleaseNotices },
  { name: 'send-notices', every: 3, run: sendNotices },
  { name: 'forget', every: 600, run: ({ db, config }) => forget(db, config.sessionIdleSeconds) },
  { name: 'forget-order-networks', every: 3600, run: ({ db }) => forgetOrderNetworks(db) },
  { name: 'remove-pictures', every: 600, run: (context) => removePictures(context) },
  { name: 'erase-closed-accounts', every: 600, run: (context) => eraseClosed(context) },
  { name: 'count-sales', every: 600, run: ({ db }) => countSales(db) },
  { name: 'mark-code-tails', every: 30, run: (context) => markCodeTails(context) },
  { name: 'rebuild-search-texts', every: 10, run: rebuildSearchTexts },
  { name: 'vacuum', every: 3600, run: vacuum },
];

export const closeUnpaid = (db: AppContext['db']): Promise<number> =>
  db.retrying((sql) =>
    sql.run(
      `select order_close(id, 1, 'job') from (
         select id from orders where status = ${OrderStatus.Unpaid} and closed_at is null and expire_at <= clock_timestamp()
          order by expire_at limit ${BATCH} for update skip locked) due`,
    ),
  );

const closeRecharges = (sql: Sql) =>
  sql.run(
    "update recharges set state = 'closed' where state = 'pending' and expire_at <= clock_timestamp() - interval '1 day'",
  );

export const countSales = (sql: Sql): Promise<number> => sql.value('select goods_count_sales()');

/** Rows are deleted later than any process reads them; see LONGEST_GAP_MS in response-cache/response-cache.ts. */
const forgetChanges = (sql: Sql) => sql.run("delete from public_changes where at < now() - interval '10 minutes'");

/** PGlite has no autovacuum. */
async function vacuum({ db }: AppContext): Promise<number> {
  if (db.kind === 'embedded') await db.script('vacuum analyze');
  return 1;
}

/** Runs every job at its interval. Rows are locked, so several processes may run the same jobs. Returns a function that stops them. */
export function startJobs(
  context: AppContext,
  jobs: readonly Job[],
  onError: (name: string, error: unknown) => void,
): () => Promise<void> {
  const stops = jobs.map((job) =>
    every(job.every * 1000, () => runJob(context, job).catch((error) => onError(job.name, error))),
  );
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

export async function runJob(context: AppContext, job: Job): Promise<void> {
  let done = 0;
  let fault: unknown;
  try {
    done = await job.run({ ...context, db: context.db.as('job', job.name) });
  } catch (error) {
    fault = error;
  }
  if (done || fault || job.every >= 60) {
    await context.db.as('job', 'jobs').run(
      `insert into jobs as j (name, last_started_at, last_finished_at, last_error, runs, done) values ($1, now(), now(), $2, 1, $3)
       on conflict (name) do update set last_finished_at = now(), last_started_at = now(), last_error = excluded.last_error,
         runs = j.runs + 1, done = j.done + excluded.done`,
      [job.name, fault ? String((fault as Error).message).slice(0, 300) : null, done],
    );
  }
  if (fault) throw fault;
}
