import { dropKeptInput, fieldsByKey, type Kept, keptInput, typeInto } from './kept-input';
import { natives } from './natives';
import { input, textOf } from './unsaved-input';

/** A page may load its data before it shows its fields. */
const restoreForMs = 15_000;
const restoreEveryMs = 250;

/** Types the kept text into the fields of the same page, as soon as they are there and `isReady` returns true. */
export function restoreInput(isReady: () => boolean): void {
  const stored = keptInput();
  if (!stored) return;
  dropKeptInput();
  const { path, texts } = JSON.parse(stored) as Kept;
  const end = natives.now() + restoreForMs;
  const timer = natives.setInterval(() => {
    if (isReady() && window.location.pathname === path) {
      for (const [key, field] of fieldsByKey()) {
        const text = texts[key];
        if (text !== undefined && !input.edited.has(field) && textOf(field) !== text) typeInto(field, text);
        if (text !== undefined) delete texts[key];
      }
    }
    if (Object.keys(texts).length === 0 || natives.now() > end) natives.clearInterval(timer);
  }, restoreEveryMs);
}
