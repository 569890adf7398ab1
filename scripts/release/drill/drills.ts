/** The bad releases of the drill: what is wrong with them, who meets it, and what the browser of such a shopper reports. */
import type { Change } from '@platform/releases/testing/release-variant';

export interface Shopper {
  address: string;
  /** Decides on the canary: [0, 100). */
  visitor: number;
  language: 'zh-CN' | 'en';
  device: 'phone' | 'desktop';
  signedIn: boolean;
  /** An earlier release has stored something in this browser. */
  returning: boolean;
  clicks: boolean;
}

export interface Drill {
  /** For --only. */
  name: string;
  title: string;
  /** Or the shell, whose drills follow those of the remotes: it has the pages of all of them. */
  remote: 'catalog' | 'content' | 'account' | 'shell';
  change: Change;
  /** Default: everybody. */
  meets?: (shopper: Shopper) => boolean;
  /** What the browser reports, and after how many milliseconds; null when it reports nothing. */
  reports: { kind: 'render' | 'error' | 'rejection' | 'slow' | 'freeze' | 'load' | 'empty'; afterMs: number } | null;
  /** The tab that runs the release. */
  tab?: { language?: 'en'; signedIn?: boolean; returning?: boolean; press?: boolean };
  /** Per cent of the visitors; default: all of them. */
  traffic?: number;
}

const atOnce = 0;
/** Five seconds after the watch of the shell has started, and two looks more. */
const emptyPage: Drill['reports'] = { kind: 'empty', afterMs: 6_000 };
const half: Pick<Drill, 'change' | 'meets' | 'reports' | 'tab'> = {
  change: 'throws for returning visitors',
  meets: ({ returning }) => returning,
  reports: { kind: 'render', afterMs: atOnce },
  tab: { returning: true },
};

export const DRILLS: readonly Drill[] = [
  {
    name: 'mount',
    title: 'throws on mount',
    remote: 'content',
    change: 'render throws',
    reports: { kind: 'render', afterMs: atOnce },
  },
  {
    name: 'click',
    title: 'throws on click',
    remote: 'content',
    change: 'click throws',
    meets: ({ clicks }) => clicks,
    reports: { kind: 'error', afterMs: 3_000 },
    tab: { press: true },
  },
  {
    name: 'promise',
    title: 'rejects a promise',
    remote: 'content',
    change: 'promise rejects',
    reports: { kind: 'rejection', afterMs: atOnce },
  },
  {
    name: 'slow',
    title: '20 s slow',
    remote: 'catalog',
    change: 'slow',
    reports: { kind: 'slow', afterMs: 4_000 },
  },
  {
    name: 'frozen',
    title: 'frozen',
    remote: 'catalog',
    change: 'freezes',
    reports: { kind: 'freeze', afterMs: 11_000 },
  },
  {
    name: 'singleton',
    title: 'wrong singleton',
    remote: 'account',
    change: 'newer singleton',
    reports: { kind: 'load', afterMs: atOnce },
  },
  {
    name: 'leak',
    title: 'leaks styles',
    remote: 'catalog',
    change: 'leaks a style',
    reports: null,
  },
  {
    name: 'hide',
    title: "hides others' buttons",
    remote: 'account',
    change: 'hides buttons',
    reports: null,
  },
  {
    name: 'patch',
    title: 'patches fetch and storage',
    remote: 'account',
    change: 'patches globals',
    reports: null,
  },
  {
    name: 'nothing',
    title: 'renders nothing',
    remote: 'catalog',
    change: 'renders nothing',
    reports: emptyPage,
  },
  {
    name: 'hidden',
    title: 'hides its pages',
    remote: 'account',
    change: 'hides its pages',
    reports: emptyPage,
  },
  {
    name: 'covered',
    title: 'lies on its pages',
    remote: 'content',
    change: 'covers its pages',
    reports: emptyPage,
  },
  {
    name: 'shell-hidden',
    title: 'a shell that is empty in en',
    remote: 'shell',
    change: 'hides the shop in English',
    meets: ({ language }) => language === 'en',
    reports: emptyPage,
    tab: { language: 'en' },
  },
  {
    name: 'en',
    title: 'en only',
    remote: 'catalog',
    change: 'throws in English',
    meets: ({ language }) => language === 'en',
    reports: { kind: 'render', afterMs: atOnce },
    tab: { language: 'en' },
  },
  {
    name: 'signed-in',
    title: 'signed in only',
    remote: 'content',
    change: 'throws when signed in',
    meets: ({ signedIn }) => signedIn,
    reports: { kind: 'render', afterMs: atOnce },
    tab: { signedIn: true },
  },
  { name: 'half', title: 'half the visitors', remote: 'content', ...half },
  { name: 'half-canary', title: 'half the visitors, canary of 10 %', remote: 'account', ...half, traffic: 10 },
];

export const drillNames: readonly string[] = DRILLS.map(({ name }) => name);
