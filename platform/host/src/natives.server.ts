import type { Natives } from './natives';

/** A server has none of them; rendering calls none. */
export const natives = new Proxy({} as Natives, {
  get(_target, name) {
    throw new Error(`natives.${String(name)} was used while rendering on a server`);
  },
});
