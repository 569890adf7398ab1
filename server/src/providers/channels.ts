import type { Providers } from './providers';

/** By which a user can be told something outside the shop. */
export const channels = ['mail', 'push'] as const;
export type Channel = (typeof channels)[number];

/** Those that the shop has. */
export const channelsOf = ({ mail, push }: Pick<Providers, 'mail' | 'push'>): Channel[] =>
  channels.filter((channel) => (channel === 'mail' ? mail : push));
