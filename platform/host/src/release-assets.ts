import { containerName } from './containers';
import { attemptTimeoutMs } from './download';
import { natives } from './natives';
import type { Release } from './release-map';

/** Resolves when all of the style sheets are loaded or have failed, or after this time. */
export async function stylesSettled(links: readonly HTMLLinkElement[], milliseconds: number): Promise<void> {
  const settled = links.map(
    (link) =>
      new Promise((resolve) => {
        for (const type of ['load', 'error']) link.addEventListener(type, resolve, { once: true });
      }),
  );
  const late = new Promise((resolve) => natives.setTimeout(resolve, milliseconds));
  await Promise.race([Promise.all(settled), late]);
}

export interface RemoteTexts {
  current: (remote: string) => unknown;
  register: (remote: string, texts: unknown) => void;
}

/**
 * Texts and styles of the releases on screen. Two releases of a remote share one i18n namespace and the same class names, so only
 * the assets of the release that is shown may apply.
 */
export class ReleaseAssets {
  private readonly texts = new Map<string, unknown>();
  /** By remote, the last two releases shown, the current one last. */
  private readonly shown = new Map<string, Release[]>();
  private readonly everShown = new Set<string>();
  /** By `base`, the style links of replaced releases; they are not in the document. */
  private readonly removed = new Map<string, HTMLLinkElement[]>();

  /** `unload` is called for releases that no page can need any more. */
  constructor(
    private readonly unload: (release: Release) => void,
    private readonly registry: RemoteTexts,
  ) {}

  /** Call when the entry of a release has run for the first time. */
  rememberTexts(release: Release): void {
    this.texts.set(containerName(release), this.registry.current(release.name));
  }

  /** A chunk applies its styles and texts when it runs; this restores those of the release on screen. */
  restoreShown({ name, version }: Release): void {
    const shown = this.shown.get(name)?.at(-1);
    if (shown && shown.version !== version) this.apply(shown);
  }

  /**
   * `live` is the release that the map assigns if `release` is its fallback. Styles of other releases leave the document; those
   * of a release that is only preloaded, and of `live`, are disabled.
   */
  apply(release: Release, live = release): void {
    void this.restoreStyles(release);
    this.everShown.add(release.base);
    const texts = this.texts.get(containerName(release));
    if (texts && texts !== this.registry.current(release.name)) this.registry.register(release.name, texts);
    for (const sheet of document.querySelectorAll<HTMLLinkElement>(
      `link[rel="stylesheet"][href*="/r/${release.name}/"]`,
    )) {
      const isOf = (base: string) => new URL(sheet.href, window.location.href).pathname.startsWith(base);
      const disabled = !isOf(release.base);
      // The document inlines the styles of the release that it came with.
      if (disabled) document.getElementById('page-style')?.remove();
      const replaced = disabled && !isOf(live.base) ? [...this.everShown].find(isOf) : undefined;
      if (replaced) {
        sheet.remove();
        this.removed.set(replaced, [...(this.removed.get(replaced) ?? []), sheet]);
      } else if (sheet.disabled !== disabled) sheet.disabled = disabled;
    }
    this.unloadUnused(release);
  }

  lacksStyles(release: Release): boolean {
    return this.removed.has(release.base);
  }

  /** Puts the styles of a previously replaced release back. Resolves when they are loaded, have failed, or take too long. */
  async restoreStyles({ base }: Release): Promise<void> {
    const links = this.removed.get(base) ?? [];
    this.removed.delete(base);
    for (const link of links) {
      link.disabled = false;
      document.head.append(link);
    }
    await stylesSettled(links, attemptTimeoutMs);
  }

  forget(release: Release): void {
    this.everShown.delete(release.base);
    this.removed.delete(release.base);
    this.texts.delete(containerName(release));
  }

  /** Keeps the release, the one shown before it (whose pages may still be unmounting), and the fallbacks of both. */
  private unloadUnused(release: Release): void {
    const otherReleases = (this.shown.get(release.name) ?? []).filter(({ version }) => version !== release.version);
    const previous = otherReleases.pop();
    this.shown.set(release.name, previous ? [previous, release] : [release]);
    const needed = new Set(
      [release, release.fallback, previous, previous?.fallback].map((candidate) => candidate?.version),
    );
    for (const old of otherReleases) {
      for (const unused of [old, old.fallback]) if (unused && !needed.has(unused.version)) this.unload(unused);
    }
  }
}
