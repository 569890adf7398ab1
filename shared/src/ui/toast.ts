import './toast.css';
import { iconPaths } from './icon';

/*
 * Plain DOM instead of React: the HTTP client and the router use it before any tree exists, and a live region must be in the page
 * before its text.
 */
const toastTime = 2000;
const notifyTime = 3000;

type Kind = 'success' | 'error' | 'loading' | 'danger';
const icons = {
  success: iconPaths.check,
  error: iconPaths.alert,
  loading: 'M12 3a9 9 0 0 1 9 9',
  danger: iconPaths.alert,
};

function region(name: 'toast' | 'notify'): HTMLElement {
  const existing = document.querySelector<HTMLElement>(`[data-ui-live="${name}"]`);
  if (existing) return existing;
  const element = document.createElement('div');
  element.dataset.uiLive = name;
  element.className = `ui-live ui-live--${name}`;
  if (name === 'toast') {
    element.setAttribute('role', 'status');
    element.setAttribute('aria-live', 'polite');
  }
  return document.body.appendChild(element);
}

function createBox(kind: Kind, text: string): HTMLElement {
  const svgNamespace = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(svgNamespace, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('class', kind === 'loading' ? 'ui-spinner' : 'ui-icon');
  const path = document.createElementNS(svgNamespace, 'path');
  path.setAttribute('d', icons[kind]);
  svg.append(path);
  const label = document.createElement('span');
  label.textContent = text;
  const box = document.createElement('div');
  box.className = `ui-toast ui-toast--${kind}`;
  box.append(svg, label);
  return box;
}

/** Shows a message in place of the previous one; with `time` 0 it stays until the returned function is called. */
function show(kind: Kind, text: string, time: number): () => void {
  if (typeof document === 'undefined' || text === '') return () => {};
  const box = createBox(kind, text);
  if (kind === 'danger') box.setAttribute('role', 'alert');
  region(kind === 'danger' ? 'notify' : 'toast').replaceChildren(box);
  const timer = time > 0 ? setTimeout(() => box.remove(), time) : undefined;
  const close = () => {
    clearTimeout(timer);
    box.remove();
  };
  if (kind === 'danger') box.addEventListener('click', close);
  return close;
}

export const toast = {
  success: (text: string): void => void show('success', text, toastTime),
  error: (text: string): void => void show('error', text, toastTime),
  /** Stays until the returned function is called. */
  loading: (text: string): (() => void) => show('loading', text, 0),
};

export const notify = {
  danger: (text: string): void => void show('danger', text, notifyTime),
};

// Screen readers announce only text that is added to an existing region.
if (typeof document !== 'undefined') region('toast');
