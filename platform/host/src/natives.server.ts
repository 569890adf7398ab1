import type { Natives } from './natives';

/** A server has no browser functions, and rendering calls none. */
export const natives = new Proxy({} as Natives, {
  get(_target, name) {
    throw new Error(`natives.${String(name)} was used while rendering on a server`);
  },
});
