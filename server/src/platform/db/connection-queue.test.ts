import { defaultLimits, type LimitsByKind } from './call-limits';
import { type Caller, ConnectionQueue } from './connection-queue';

const limits: LimitsByKind = { ...defaultLimits, read: { ...defaultLimits.read, waiting: 3, waitMs: 1_000 } };
let log: string[];

function call(queue: ConnectionQueue, caller: Caller): void {
  queue.enter(caller).then(
    () => log.push(`${caller.kind} ${caller.name}`),
    (error: Error) => log.push(error.message),
  );
}
const settle = () => jest.advanceTimersByTimeAsync(0);

beforeEach(() => {
  log = [];
  jest.useFakeTimers();
});
afterEach(() => jest.useRealTimers());

it('the connection queue leaves connections for other callers, however many are stuck and in any order', async () => {
  const queue = new ConnectionQueue(10, limits);
  const stuck = ['orders', 'payments', 'recharge', 'wallet'].map((name) => queue.caller('read', name));
  for (const caller of stuck) for (let n = 0; n < 20; n++) call(queue, caller);
  await settle();
  expect(stuck.map((caller) => caller.running)).toEqual([3, 2, 2, 1]);
  const otherCaller = queue.caller('read', 'content');
  call(queue, otherCaller);
  await settle();
  expect(otherCaller.running).toBe(1);
});

it('the connection queue gives a caller whose call timed out one connection, until the database responds in time', async () => {
  const queue = new ConnectionQueue(10, limits);
  const caller = queue.caller('read', 'orders');
  for (let n = 0; n < 7; n++) call(queue, caller);
  await settle();
  expect(caller.running).toBe(3);
  for (let n = 0; n < 3; n++) queue.leave(caller, true);
  await settle();
  expect([caller.running, caller.waiting.length]).toEqual([1, 2]);
  queue.leave(caller, undefined);
  await settle();
  expect([caller.running, caller.waiting.length]).toEqual([1, 1]);
  call(queue, caller);
  await settle();
  queue.leave(caller, false);
  await settle();
  expect([caller.running, caller.waiting.length]).toEqual([2, 0]);
});

it('the connection queue gives a single connection to the most urgent kind first, then in order of arrival', async () => {
  const queue = new ConnectionQueue(1, limits);
  const [reader, job, buyer] = [queue.caller('read', 'a'), queue.caller('job', 'b'), queue.caller('write', 'c')];
  const notice = queue.caller('notice', '');
  const callers = [reader, job, queue.caller('write', 'first'), buyer, notice, queue.caller('health', '')];
  call(queue, reader);
  for (const caller of callers) call(queue, caller);
  await settle();
  for (const caller of [reader, callers[5], notice, callers[2], buyer, job, reader]) {
    queue.leave(caller as Caller, false);
    await settle();
  }
  expect(log).toEqual(['read a', 'health ', 'notice ', 'write first', 'write c', 'job b', 'read a']);
  expect(queue.load('read')).toEqual({ running: 0, waiting: 0, shed: 0 });
});

it('the connection queue rejects calls at once beyond its bound, and calls that wait too long', async () => {
  const queue = new ConnectionQueue(1, limits);
  const caller = queue.caller('read', 'orders');
  for (let n = 0; n < 6; n++) call(queue, caller);
  await settle();
  const full = 'the database is busy: read, 3 calls wait';
  expect(log).toEqual(['read orders', full, full]);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(log.slice(3)).toEqual(Array(3).fill('the database is busy: read, no connection within 1000 ms'));
  expect(queue.load('read')).toEqual({ running: 1, waiting: 0, shed: 5 });
  queue.leave(caller, false);
  expect(queue.load('read').running).toBe(0);
});
