// Runs in a development document before every other script. It is a file, because the policy of the page forbids inline scripts.
(() => {
  globalThis.__PLATFORM_DEV__ = {
    built: {},
    hot: {},
    reload: () => location.reload(),
  };
  const dev = globalThis.__PLATFORM_DEV__;
  /** @type {Record<string, string>} by workspace */
  const versions = {};
  /** @type {Record<string, import('./dev-server').DevFault[]>} by workspace: of its last build, and met while the page ran */
  const faults = {};
  /** Rendering has failed: the page shows its error, also after the code is fixed. */
  let isLost = false;
  /** @type {HTMLElement | undefined} */
  let overlay;

  new EventSource('/__dev/events').onmessage = ({ data }) => {
    const state = JSON.parse(data);
    const { name, version, hash } = state;
    // Another version has other pages, or is from another start.
    if (versions[name] && versions[name] !== version) return dev.reload();
    versions[name] = version;
    const isNew = dev.built[name] !== hash;
    if (isLost && isNew) return dev.reload();
    dev.built[name] = hash;
    faults[name] = state.faults;
    show();
    if (isNew) void dev.hot[name]?.();
  };

  /**
   * Adds a fault of code that is built here, with its location in the source.
   * @param {Error} error
   * @param {boolean} [isOfRendering]
   */
  async function addFault(error, isOfRendering = false) {
    const match = /(https?:\/\/[^\s()]+?\/r\/([^/]+)\/[^\s()]+?\.js):(\d+):(\d+)/.exec(String(error?.stack));
    const [, url = '', name = '', line = '', column = ''] = match ?? [];
    if (!versions[name]) return;
    isLost ||= isOfRendering;
    const query = new URLSearchParams({ file: new URL(url).pathname, line, column });
    const place = await fetch(`/__dev/place?${query}`).then((response) => response.json());
    const { message } = error;
    if (faults[name]?.some((fault) => fault.message === message)) return;
    faults[name]?.push({ message, ...place });
    show();
  }
  addEventListener('error', (event) => void addFault(event.error));
  addEventListener('unhandledrejection', (event) => void addFault(event.reason));
  // React logs errors that a boundary has caught, and hydration errors.
  const { error: logged } = console;
  console.error = (...args) => {
    logged.apply(console, args);
    const error = args.find((arg) => arg instanceof Error);
    if (error)
      void addFault(
        error,
        args.some((arg) => /\berror boundary\b/i.test(String(arg))),
      );
  };

  function show() {
    overlay?.remove();
    overlay = undefined;
    const all = Object.values(faults).flat();
    if (all.length === 0) return;
    overlay = document.createElement('platform-dev-faults');
    overlay.setAttribute('role', 'alert');
    const shadow = overlay.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLES);
    shadow.adoptedStyleSheets = [sheet];
    const panel = element('section');
    const close = element('button', 'Close');
    close.addEventListener('click', () => overlay?.remove());
    panel.append(close);
    for (const { message, file, line, column, code } of all) {
      panel.append(element('h2', message));
      if (file) panel.append(element('p', `${file}:${line}:${column}`));
      if (code) panel.append(element('pre', code));
    }
    shadow.append(panel);
    document.documentElement.append(overlay);
  }

  /** @param {string} tag */
  function element(tag, text = '') {
    const result = document.createElement(tag);
    result.textContent = text;
    return result;
  }

  const STYLES = `
    section { position: fixed; inset: auto 0 0; max-height: 60vh; overflow: auto; z-index: 2147483647; padding: 16px 24px;
      background: #1c1b22; color: #f5f5f7; border-top: 4px solid #ff6b6b; font: 14px/1.5 system-ui, sans-serif; }
    h2 { margin: 8px 0; font-size: 15px; white-space: pre-wrap; }
    p { margin: 0; color: #ffb4b4; }
    pre { overflow: auto; font: 13px/1.5 ui-monospace, monospace; }
    button { float: right; min-height: 44px; padding: 0 16px; font: inherit; color: inherit; background: none; border: 1px solid; }
  `;
})();
