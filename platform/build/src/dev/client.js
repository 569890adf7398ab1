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
  /** @type {Record<string, import('./dev-server').DevFault[]>} of the last build, by workspace */
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

  // React logs errors that a boundary has caught.
  const { error: logged } = console;
  console.error = (...args) => {
    logged.apply(console, args);
    isLost ||= args.some((arg) => /\berror boundary\b/i.test(String(arg)));
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
    for (const { message, file, line, column } of all) {
      panel.append(element('h2', message));
      if (file) panel.append(element('p', `${file}:${line}:${column}`));
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
    button { float: right; min-height: 44px; padding: 0 16px; font: inherit; color: inherit; background: none; border: 1px solid; }
  `;
})();
