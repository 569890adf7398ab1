interface PlatformDev {
  /** By workspace, the hash of its last build. */
  built: Record<string, string | undefined>;
  /** By workspace, the function of its runtime that applies that build. */
  hot: Record<string, (() => Promise<void>) | undefined>;
  reload(): void;
  refresh?: typeof import('react-refresh/runtime');
}

declare var __PLATFORM_DEV__: PlatformDev;
declare var $RefreshSig$: () => <T>(type: T) => T;
declare var $RefreshReg$: () => void;

declare module 'react-refresh/runtime' {
  export function injectIntoGlobalHook(window: unknown): void;
  export function performReactRefresh(): void;
}

/** The bundler replaces it by the workspace's name. */
declare const DEV_NAME: string;
declare const __webpack_hash__: string;

declare namespace NodeJS {
  interface Module {
    hot: { status(): string; check(autoApply: boolean): Promise<unknown> };
  }
}
