/** Pages as native modules, by names that the document's import map gives addresses to. Their styles the document lists. */
import { pageIn } from './page-in';

const styles = JSON.parse(document.getElementById('bench-styles')?.textContent ?? '{}') as Record<string, string>;

function addStyle(address: string): Promise<void> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = address;
  return new Promise((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => reject(new Error(`${address} did not load`));
    document.head.append(link);
  });
}

export const { containerRuntime, containerName } = pageIn(async (name, page) => {
  const id = `${name}/${page}`;
  const style = styles[id];
  const [module] = await Promise.all([import(/* webpackIgnore: true */ id), style && addStyle(style)]);
  return module;
});
