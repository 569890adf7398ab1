import { element } from './dom';

export const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

export const moment = (at: string | null) =>
  at ? new Date(at).toLocaleString([], { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' }) : '';

export const versionCode = (version: string) => element('code', { class: 'version' }, version);
