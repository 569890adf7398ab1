import { retryImport } from '@shop/shared/http';

type Module = typeof import('./account-dialogs');
let loaded: Promise<Module> | undefined;

/** `React.lazy` resolves at once with a loaded module, so that a document with the dialog hydrates in one piece. */
export const loadAccountDialogs = (): Promise<Module> =>
  loaded ??
  retryImport(() => import('./account-dialogs')).then((module) => {
    // biome-ignore lint/suspicious/noThenProperty: a promise would answer a turn later
    loaded = { then: (take: (module: Module) => void) => take(module) } as Promise<Module>;
    return module;
  });
