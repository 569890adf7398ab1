import { currentTexts, registerTexts } from '@shop/shared/i18n';
import { containerName } from './containers';
import type { Release } from './release-map';

/**
 * Texts and styles of the releases that are on screen. Two releases of a remote share one i18n namespace and the same class
 * names, so only the assets of the one that is shown may apply.
 */
export class ReleaseAssets {
  private readonly texts = new Map<string, ReturnType<typeof currentTexts>>();
  /** Per remote the last two releases shown, the current one last. */
  private readonly shown = new Map<string, Release[]>();

  /** `unload` is called for releases that no page can need any more. */
  constructor(private readonly unload: (release: Release) => void) {}

  /** Call when the entry of a release has run for the first time. */
  rememberTexts(release: Release): void {
    this.texts.set(containerName(release), currentTexts(release.name));
  }

  /** A chunk applies its styles and texts when it runs; this restores those of the release on screen. */
  restoreShown({ name, version }: Release): void {
    const shown = this.shown.get(name)?.at(-1);
    if (shown && shown.version !== version) this.apply(shown);
  }

  apply(release: Release): void {
    const texts = this.texts.get(containerName(release));
    if (texts && texts !== currentTexts(release.name)) registerTexts(release.name, texts);
    for (const sheet of document.querySelectorAll<HTMLLinkElement>(
      `link[rel="stylesheet"][href*="/r/${release.name}/"]`,
    )) {
      const disabled = !new URL(sheet.href, window.location.href).pathname.startsWith(release.base);
      if (sheet.disabled !== disabled) sheet.disabled = disabled;
    }
    this.unloadUnused(release);
  }

  forget(release: Release): void {
    this.texts.delete(containerName(release));
  }

  /** Keeps the release, the one shown before it (whose pages may still be unmounting), and their fallbacks. */
  private unloadUnused(release: Release): void {
    const others = (this.shown.get(release.name) ?? []).filter(({ version }) => version !== release.version);
    const previous = others.pop();
    this.shown.set(release.name, previous ? [previous, release] : [release]);
    const needed = new Set([release, release.fallback, previous, previous?.fallback].map((one) => one?.version));
    for (const old of others) {
      for (const one of [old, old.fallback]) if (one && !needed.has(one.version)) this.unload(one);
    }
  }
}
