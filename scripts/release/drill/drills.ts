/** The bad releases of the drill: what is wrong with them, who meets it, and what the browser of such a shopper reports. */
import type { Change, Edit } from '@platform/releases/testing/release-variant';

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
  /** Where the drill has a step that nobody gets to. */
  seesPrice: boolean;
  buys: boolean;
}

export interface Drill {
  /** For --only. */
  name: string;
  title: string;
  /** Or the shell, whose drills follow those of the remotes: it has the pages of all of them. */
  remote: 'catalog' | 'content' | 'account' | 'shell';
  change: Change | Edit;
  /** Its other pages that the gate opens beside that of the shoppers, with the flows on them. */
  alsoOpens?: readonly string[];
  /** Default: everybody. */
  meets?: (shopper: Shopper) => boolean;
  /** What the browser reports, and after how many milliseconds; null when it reports nothing. */
  reports: { kind: 'render' | 'error' | 'rejection' | 'slow' | 'freeze' | 'load' | 'empty'; afterMs: number } | null;
  /** The step that nobody gets to with the release, nor to those after it: no browser reports it, and the funnel sees it. */
  stops?: 'price' | 'order';
  /** The tab that runs the release. */
  tab?: { language?: 'en'; signedIn?: boolean; returning?: boolean; press?: boolean };
  /** Per cent of the visitors; default: all of them. */
  traffic?: number;
}

const atOnce = 0;
/** Five seconds after the watch of the shell has started, and two looks more. */
const emptyPage: Drill['reports'] = { kind: 'empty', afterMs: 6_000 };
/** What is wrong with these no browser reports: they go live only where the gate lets them pass, or the funnel sees them. */
const silent: Pick<Drill, 'reports'> = { reports: null };

const deadBuy: Edit = {
  what: 'Buy does nothing',
  edit: (script) => script.replace(/submit:\w+\.run/, 'submit:()=>{}'),
};
const tenthOfPrices: Edit = {
  what: 'prices at a tenth',
  edit: (script) =>
    script
      .replace(/\.Price,\{amount:([\w.]+)/g, '.Price,{amount:($1/10).toFixed(2)')
      .replace(/\.formatMoney\)\(([\w.]+),/g, '.formatMoney)(($1/10).toFixed(2),'),
};
const emptyDollars: Edit = {
  what: 'an empty dollar wallet',
  edit: (script) =>
    script.replace(/\.formatMoney\)\(([\w.[\]]+),/g, ".formatMoney)(document.documentElement.lang==='en'?'0.00':$1,"),
};

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
  {
    name: 'buy',
    title: 'Buy does nothing',
    remote: 'catalog',
    change: deadBuy,
    alsoOpens: ['/search', '/goods/:id'],
    ...silent,
    // For everybody at once there would be nobody to compare with.
    traffic: 50,
    stops: 'order',
  },
  { name: 'tenth', title: 'prices at a tenth', remote: 'catalog', change: tenthOfPrices, ...silent },
  { name: 'unlisted', title: 'leaves search engines', remote: 'catalog', change: 'leaves search engines', ...silent },
  {
    name: 'requests',
    title: 'ten times the requests',
    remote: 'catalog',
    change: 'sends ten times the requests',
    ...silent,
  },
  { name: 'blank-later', title: 'blank after ten minutes', remote: 'catalog', change: 'goes blank later', ...silent },
  {
    name: 'layer',
    title: 'a layer takes presses unseen',
    remote: 'catalog',
    change: 'takes presses unseen',
    ...silent,
    traffic: 50,
    stops: 'price',
  },
  { name: 'dark', title: 'white on white, dark', remote: 'content', change: 'white on white', ...silent },
  { name: 'picture', title: 'sends a picture elsewhere', remote: 'content', change: 'asks another origin', ...silent },
  { name: 'memory', title: 'keeps 5 MB a page change', remote: 'content', change: 'keeps memory', ...silent },
  { name: 'dialog', title: 'opens an unnamed dialog', remote: 'content', change: 'opens an unnamed dialog', ...silent },
  {
    name: 'offline',
    title: 'no service worker',
    remote: 'content',
    change: 'takes the service worker away',
    ...silent,
  },
  {
    name: 'server',
    title: 'rendered otherwise',
    remote: 'content',
    change: 'renders otherwise on the server',
    reports: { kind: 'render', afterMs: atOnce },
  },
  { name: 'hours', title: 'throws hours later', remote: 'account', change: 'throws hours later', ...silent },
  { name: 'patch-later', title: 'patches fetch later', remote: 'account', change: 'patches later', ...silent },
  { name: 'back', title: 'throws on the way back', remote: 'account', change: 'throws on the way back', ...silent },
  { name: 'safari', title: 'needs what Safari lacks', remote: 'account', change: 'needs Chromium', ...silent },
  { name: 'dollars', title: 'an empty dollar wallet', remote: 'account', change: emptyDollars, ...silent },
  {
    name: 'others',
    title: "hides others' buttons only",
    remote: 'account',
    change: 'hides buttons of others',
    ...silent,
  },
  { name: 'half', title: 'half the visitors', remote: 'content', ...half },
  { name: 'half-canary', title: 'half the visitors, canary of 10 %', remote: 'account', ...half, traffic: 10 },
];

export const drillNames: readonly string[] = DRILLS.map(({ name }) => name);
