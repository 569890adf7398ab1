import type { Providers } from './providers';

export const channels = ['mail', 'push'] as const;
export type Channel = (typeof channels)[number];

export const channelsOf = ({ mail, push }: Pick<Providers, 'mail' | 'push'>): Channel[] =>
  channels.filter((channel) => (channel === 'mail' ? mail : push));
