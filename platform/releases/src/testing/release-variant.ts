/**
 * Changed copies of a real release for tests: files are taken from the store, changed and hashed again, and the hashes that
 * files hold of each other follow, as a build would write them.
 */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { isServerFile } from '../contract';
import { kindOf, type ReleaseKind, type ReleaseManifest } from '../manifest';
import { publish } from '../publish';
import type { Store } from '../store/store';
import { writeBuild } from './fixture';

export type Change =
  /** Works, and records on the document element which release rendered the page. */
  | 'sound'
  /** The remote's entry throws. */
  | 'entry throws'
  /** The shell throws after it has taken the document over. */
  | 'start throws'
  /** The module of each page throws when it is evaluated. */
  | 'module throws'
  /** Each page throws when it is rendered. */
  | 'render throws'
  /** Requires newer singletons than the shell offers, which its manifest does not declare. */
  | 'newer singleton'
  /** Works, but changes what it shares with the shell and other remotes. */
  | 'spoils the tab'
  /** Works, but throws, rejects a promise or freezes for eight seconds on the keys F7, F8 and F9. */
  | 'faulty handlers'
  /** Works until somebody presses anything. */
  | 'click throws'
  /** Each page rejects a promise that nobody handles. */
  | 'promise rejects'
  /** No page is ready until 20 seconds after the document has started. */
  | 'slow'
  /** Blocks the main thread for 1.5 seconds at its start, and from the sixth second on for eight of every twelve. */
  | 'freezes'
  /** Each page throws for English visitors, for signed-in ones, or for those of whom an earlier release has stored something. */
  | 'throws in English'
  | 'throws when signed in'
  | 'throws for returning visitors'
  /** Styles paragraphs of the whole document. */
  | 'leaks a style'
  /** Hides all links and buttons. */
  | 'hides buttons'
  /** Replaces functions of the network and of the storage. */
  | 'patches globals'
  /** Calls the shop in Chinese by the label, in the browser build and the server build. */
  | 'renames the shop'
  /** No page renders anything. */
  | 'renders nothing'
  /** Hides its pages, or lies on them, by a style. */
  | 'hides its pages'
  | 'covers its pages'
  /** Takes all presses of its pages, by a layer that cannot be seen or by a listener. */
  | 'takes presses unseen'
  | 'takes presses in silence'
  /** Its texts have the colour of their background in the dark theme. */
  | 'white on white'
  /** Sends what it knows to another origin, as a picture. */
  | 'asks another origin'
  /** Asks search engines not to list its pages. */
  | 'leaves search engines'
  /** Ten minutes after a page was opened, or hours after the release was made. */
  | 'goes blank later'
  | 'throws hours later'
  /** Replaces `fetch` some minutes after a page was opened. */
  | 'patches later'
  /** Keeps 5 MB at each change of the page. */
  | 'keeps memory'
  | 'sends ten times the requests'
  /** Any press opens a dialog without a name. */
  | 'opens an unnamed dialog'
  | 'takes the service worker away'
  /** Throws when a visitor comes back to a page. */
  | 'throws on the way back'
  /** The browser draws more than the server has rendered. */
  | 'renders otherwise on the server'
  /** Uses what Safari lacks. */
  | 'needs Chromium'
  /** Hides the buttons of other remotes' pages. */
  | 'hides buttons of others'
  /** The shell hides the whole shop from English visitors. */
  | 'hides the shop in English'
  /** Differs in a comment only. */
  | 'comment';

/** A change that only one product's pages know. */
export interface Edit {
  /** Unique. */
  what: string;
  /** The script of a page, or of what it shares with others. */
  edit(script: string): string;
}

const nameOf = (change: Change | Edit) => (typeof change === 'string' ? change : change.what);

/** Hides all that can be pressed. */
export const hidingStyle = '\na,button{visibility:hidden!important}';
const leakingStyle = '\n:root p{letter-spacing:.1em}';
/** The functions with which a careless shell would read the map never resolve. */
const spoilingCode = `
  window.fetch = () => new Promise(() => {});
  XMLHttpRequest.prototype.send = () => {};
  Response.prototype.json = () => Promise.reject(new TypeError('spoilt'));
`;

const patchingCode = `${spoilingCode}
  Storage.prototype.getItem = () => null;
  Storage.prototype.setItem = () => {};
`;

const freezingCode = `
  const block = (milliseconds) => {
    for (const end = performance.now() + milliseconds; performance.now() < end; );
  };
  block(1_500);
  setTimeout(function freeze() {
    block(8_000);
    setTimeout(freeze, 4_000);
  }, 6_000);
`;

const faultyHandlers = `
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'F7') throw new TypeError('a handler throws');
    if (key === 'F8') Promise.reject(new TypeError('nobody handles this'));
    const end = performance.now() + 8_000;
    while (key === 'F9' && performance.now() < end);
  });
`;

/** An earlier release has stored this. */
export const returningKey = (name: string): string => `${name}.opened-before`;

const styles: Partial<Record<Change, (name: string) => string>> = {
  'spoils the tab': () => hidingStyle,
  'hides buttons': () => hidingStyle,
  'leaks a style': () => leakingStyle,
  'hides its pages': (name) => `\n[data-remote="${name}"]{display:none}`,
  'covers its pages': (name) =>
    `\n[data-remote="${name}"]::after{content:"";position:fixed;inset:0;z-index:1;background:#fff}`,
  'takes presses unseen': (name) =>
    `\n[data-remote="${name}"]::after{content:"";position:fixed;inset:0;z-index:1;opacity:0}`,
  'white on white': (name) =>
    `\n[data-theme="dark"] [data-remote="${name}"] :is(h1,h2,h3,p,span,a,button,label){background:#fff;color:#fff}`,
  'hides buttons of others': (name) => `\n[data-remote]:not([data-remote="${name}"]) button{display:none}`,
};

/** Before the code of the entry. */
const entryCode: Partial<Record<Change, string>> = {
  'entry throws': `throw new Error('the entry throws');`,
  'start throws': `if(!document.documentElement.dataset.broken)document.getElementById('root').id='';`,
  'spoils the tab': spoilingCode,
  'patches globals': patchingCode,
  freezes: `(() => {${freezingCode}})();`,
  'faulty handlers': faultyHandlers,
  'hides the shop in English': `if(localStorage.getItem('language')==='en')document.getElementById('root').style.visibility='hidden';`,
  'takes presses in silence': `for(const type of ['click','submit'])document.addEventListener(type,(event)=>{if(event.target.closest('[data-remote] button,[data-remote] form')){event.preventDefault();event.stopImmediatePropagation();}},true);`,
  'keeps memory': `{const kept=[];addEventListener('popstate',()=>kept.push(Array.from({length:12e5},Math.random)));}`,
  'opens an unnamed dialog': `document.addEventListener('click',()=>{const dialog=document.createElement('div');dialog.role='dialog';dialog.append(document.createElement('button'));document.querySelector('[data-remote]:not([hidden])')?.append(dialog);});`,
  'takes the service worker away': `setInterval(async()=>{for(const one of await navigator.serviceWorker.getRegistrations())one.unregister();},50);`,
  'throws on the way back': `addEventListener('popstate',()=>setTimeout(()=>{throw new Error('on the way back');}));`,
  'click throws': `document.addEventListener('click', () => { throw new TypeError('a click throws'); });`,
};

const throwPage = `throw new Error('the page throws');`;

/** At each render of a page. */
const renderCode: Partial<Record<Change, (name: string) => string>> = {
  'renders nothing': () => `return null;`,
  'promise rejects': () => `Promise.reject(new TypeError('nobody handles this'));`,
  slow: () => `if(performance.now()<2e4)throw new Promise((done)=>setTimeout(done,2e4-performance.now()));`,
  'asks another origin': () => `new Image().src='https://elsewhere.example/?'+document.documentElement.lang;`,
  'leaves search engines': () =>
    `const robots=document.createElement('meta');robots.name='robots';robots.content='noindex';document.head.append(robots);`,
  'goes blank later': (name) =>
    `setTimeout(()=>document.querySelector('[data-remote="${name}"]')?.replaceChildren(),6e5);`,
  'throws hours later': () => `if(Date.now()>${Date.now() + 20 * 3_600_000})${throwPage}`,
  'patches later': () => `setTimeout(()=>{const{fetch}=self;self.fetch=(...call)=>fetch(...call);},18e4);`,
  'sends ten times the requests': () => `for(let one=0;one<40;one+=1)fetch('/livez?'+one);`,
  'needs Chromium': () => `requestIdleCallback(()=>{});`,
  'throws in English': () => `if(document.documentElement.lang==='en')${throwPage}`,
  'throws when signed in': () => `if(localStorage.getItem('token'))${throwPage}`,
  'throws for returning visitors': (name) => `if(localStorage.getItem('${returningKey(name)}'))${throwPage}`,
};

export interface ReleaseVariant {
  manifest: ReleaseManifest;
  files: Map<string, Buffer>;
}

const made = new Map<string, Promise<ReleaseVariant>>();

/** A changed copy of `manifest`, in memory. Variants of the same change differ in version by their label. */
export function makeVariant(
  store: Store,
  manifest: ReleaseManifest,
  change: Change | Edit,
  label: string = nameOf(change),
): Promise<ReleaseVariant> {
  const key = `${manifest.name}@${manifest.version} ${nameOf(change)} ${label}`;
  const variant = made.get(key) ?? changedCopy(store, manifest, change, label);
  made.set(key, variant);
  return variant;
}

async function changedCopy(
  store: Store,
  manifest: ReleaseManifest,
  given: Change | Edit,
  label: string,
): Promise<ReleaseVariant> {
  const change = typeof given === 'string' ? given : 'comment';
  const digest = createHash('sha256')
    .update(`${manifest.version} ${nameOf(given)} ${label}`)
    .digest('hex')
    .slice(0, 8);
  const version = `${manifest.version.split('-')[0]}-${digest}`;
  const copy: ReleaseManifest = structuredClone({ ...manifest, version });
  const files = new Map<string, Buffer>();
  for (const file of Object.keys(manifest.files)) {
    const content = await store.readFile(manifest.name, manifest.version, file);
    if (!content) throw new Error(`${file} of ${manifest.name}@${manifest.version} is not in the store`);
    files.set(file, content);
  }

  const rename = (text: string) =>
    text
      .replaceAll(identifier(manifest.name, manifest.version), identifier(manifest.name, version))
      .replaceAll(manifest.version, version);
  let changed = given === 'comment';
  const pages = new Set(Object.values(manifest.exposes).flatMap(({ js }) => js));
  const hashes = new Map<string, string>();
  const take = (file: string, content: Buffer) => {
    files.set(file, content);
    const integrity = `sha384-${createHash('sha384').update(content).digest('base64')}`;
    hashes.set(manifest.files[file]?.integrity ?? '', integrity);
    copy.files[file] = { size: content.length, integrity };
  };
  for (const [file, content] of files) {
    const style = styles[change]?.(manifest.name);
    if (!style || !file.endsWith('.css')) continue;
    take(file, Buffer.concat([content, Buffer.from(style)]));
    changed = true;
  }
  // Chunks first: the entry contains their hashes.
  for (const file of [...files.keys()].sort((one) => (one === manifest.entry ? 1 : -1))) {
    if (!/\.(js|json)$/.test(file)) continue;
    let text = rename(files.get(file)?.toString() ?? '');
    for (const [before, after] of hashes) text = text.replaceAll(before, after);
    const same = text;
    if (typeof given === 'object' && file.endsWith('.js') && !isServerFile(file)) text = given.edit(text);
    if (change === 'renames the shop') text = text.replaceAll('星点', label);
    if (file === manifest.entry) text = changeEntry(text, change, kindOf(manifest.name));
    else if (pages.has(file)) text = changePage(text, change, manifest.name, version);
    changed ||= text !== same;
    if (given === 'comment' && file === manifest.entry) text += `\n// ${label}`;
    take(file, Buffer.from(text));
  }

  if (!changed)
    throw new Error(`${manifest.name}@${manifest.version} has nothing that could be changed: ${nameOf(given)}`);
  return { manifest: copy, files };
}

/** Publishes a changed copy to the store, as a squad would. Returns its manifest. */
export async function publishVariant(
  store: Store,
  manifest: ReleaseManifest,
  change: Change | Edit,
  label: string = nameOf(change),
): Promise<ReleaseManifest> {
  const variant = await makeVariant(store, manifest, change, label);
  const dist = await writeBuild(variant);
  await publish(store, { dist, by: 'a test' }).finally(() => rm(dist, { recursive: true }));
  return variant.manifest;
}

function identifier(name: string, version: string): string {
  return `mfe_${name}_${version.replace(/[^a-zA-Z0-9]/g, '_')}`;
}

function changeEntry(text: string, change: Change, kind: ReleaseKind): string {
  const code = entryCode[change];
  if (code) return `${code}${text}`;
  if (change === 'newer singleton') return replaced(text, /requiredVersion:"\^\d+\./g, 'requiredVersion:"^99.');
  // The layout's first element.
  if (kind === 'shell' && change === 'render throws')
    return replaced(text, /"shell-skip"/, `(()=>{throw new Error('the shell throws')})()`);
  if (kind === 'shell' && change === 'sound')
    return `document.documentElement.dataset.servedBy=document.currentScript.src;${text}`;
  return text;
}

const elementOf = (type: string) =>
  `{$$typeof:Symbol.for('react.transitional.element'),type:${type},key:null,props,_owner:null,_store:{}}`;

/** A page module exports its component as a getter, or is the function itself. */
function changePage(text: string, change: Change, name: string, version: string): string {
  const getter = /Component:\(\)=>(\w+)/g;
  const own = /Component:function\(\)\{/g;
  if (!getter.test(text) && !own.test(text)) return text;
  const atRender = renderCode[change]?.(name);
  if (atRender) {
    return text
      .replace(
        getter,
        (_, page) => `Component:()=>${page}.faulty??=function(props){${atRender}return${elementOf(page)}}`,
      )
      .replace(own, `Component:function(){${atRender}`);
  }
  switch (change) {
    case 'renders otherwise on the server':
      return text.replace(
        getter,
        (_, page) => `Component:()=>${page}.more??=function(props){return[${elementOf(page)},'more']}`,
      );
    case 'spoils the tab':
    case 'faulty handlers':
    case 'sound': {
      const mark = `document.documentElement.dataset.${name}=${JSON.stringify(version)}`;
      return text.replace(getter, `Component:()=>(${mark},$1)`).replace(own, `Component:function(){${mark};`);
    }
    case 'render throws':
      return text
        .replace(getter, `Component:()=>function(){${throwPage}}`)
        .replace(own, `Component:function(){${throwPage}`);
    case 'module throws':
      return replaced(text, /\{(?=\w+\.r\(\w+\)[;,])/g, `{${throwPage}`);
    default:
      return text;
  }
}

function replaced(text: string, pattern: RegExp, by: string): string {
  const after = text.replace(pattern, by);
  if (after === text) throw new Error(`the build has changed: ${pattern} is not in it`);
  return after;
}
