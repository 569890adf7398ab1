import { del, get, isApiError, post } from '@shop/shared/http';
import { invalidate, queryOptions } from '@shop/shared/query';
import { makeAutoObservable, observable } from '@shop/shared/state';

export const favouriteIdsQuery = queryOptions({
  queryKey: ['favourites', 'ids'],
  queryFn: async () => (await get('/api/front/user/favourite/ids', undefined, { quiet: true })).goods_ids,
});

/** The goods that the shopper has marked. A set, so that a press draws one heart again and not the whole list. */
class Favourites {
  private readonly ids = observable.set<number>();
  private readonly pending = new Map<number, Promise<void>>();
  /** What the call under way asks for. */
  private readonly sending = new Map<number, boolean>();

  constructor() {
    makeAutoObservable<this, 'pending' | 'sending'>(this, { pending: false, sending: false }, { autoBind: true });
  }

  has(goodsId: number): boolean {
    return this.ids.has(goodsId);
  }

  /** What the server knew when it was asked; what is under way since then stays as the shopper wants it. */
  show(goodsIds: readonly number[]): void {
    this.ids.replace(goodsIds);
    for (const [goodsId, wanted] of this.sending) this.mark(goodsId, wanted);
  }

  /** For a guest. */
  clear(): void {
    this.ids.clear();
  }

  /** Shown at once, and taken back when the server refuses. A second press waits for the first. */
  set(goodsId: number, wanted: boolean): Promise<void> {
    const before = this.pending.get(goodsId) ?? Promise.resolve();
    const next = before.then(() => this.send(goodsId, wanted));
    this.pending.set(goodsId, next);
    return next.finally(() => {
      if (this.pending.get(goodsId) === next) this.pending.delete(goodsId);
    });
  }

  private async send(goodsId: number, wanted: boolean): Promise<void> {
    if (this.has(goodsId) === wanted) return;
    this.mark(goodsId, wanted);
    this.sending.set(goodsId, wanted);
    try {
      if (wanted) await post('/api/front/user/favourite', { goods_id: goodsId });
      else await del('/api/front/user/favourite', { goods_id: goodsId });
      void invalidate(['favourites']);
    } catch (error) {
      this.mark(goodsId, !wanted);
      // The http client has shown it.
      if (!isApiError(error)) throw error;
    } finally {
      this.sending.delete(goodsId);
    }
  }

  private mark(goodsId: number, wanted: boolean): void {
    if (wanted) this.ids.add(goodsId);
    else this.ids.delete(goodsId);
  }
}

export const favourites = new Favourites();
