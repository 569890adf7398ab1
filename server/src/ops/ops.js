/* The page behind /ops. Everything is drawn from /ops/state.json with DOM calls; no text becomes markup. */
(() => {
  const everyMs = 2000;
  const byId = (id) => document.getElementById(id);
  let drawn = '';
  let undoTimer;

  if (location.search === '?wrong') byId('wrong').hidden = false;
  if (document.body.dataset.state !== 'in') return;

  function element(tag, given = {}, ...children) {
    const node = document.createElement(tag);
    for (const [key, value] of Object.entries(given)) {
      if (key === 'class') node.className = value;
      else if (key === 'press') node.addEventListener('click', value);
      else if (key === 'data') Object.assign(node.dataset, value);
      else if (value !== undefined && value !== false) node.setAttribute(key, value === true ? '' : value);
    }
    node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
    return node;
  }

  const percent = (share) => `${(share * 100).toFixed(1)} %`;
  const moment = (at) => (at ? new Date(at).toLocaleString() : '');

  function chart(series, label) {
    const namespace = 'http://www.w3.org/2000/svg';
    const make = (tag, given) => {
      const node = document.createElementNS(namespace, tag);
      for (const [key, value] of Object.entries(given)) node.setAttribute(key, value);
      return node;
    };
    const svg = make('svg', {
      viewBox: '0 0 100 44',
      preserveAspectRatio: 'none',
      class: 'chart',
      role: 'img',
      'aria-label': label,
    });
    svg.append(make('line', { class: 'axis', x1: 0, x2: 100, y1: 42, y2: 42 }));
    const top = Math.max(0.1, ...series.map((share) => share ?? 0));
    let path = '';
    let pen = 'M';
    series.forEach((share, index) => {
      if (share === null) {
        pen = 'M';
        return;
      }
      const x = (index / Math.max(1, series.length - 1)) * 100;
      const y = 42 - (share / top) * 38;
      path += `${pen}${x.toFixed(1)} ${y.toFixed(1)}`;
      if (pen === 'M') svg.append(make('rect', { class: 'dot', x: x - 0.5, y: y - 1.5, width: 1, height: 3 }));
      pen = 'L';
    });
    svg.append(make('path', { class: 'line', d: path }));
    return svg;
  }

  function health(label, version, counted) {
    if (!version || !counted) return null;
    const vitals = Object.entries(counted.vitals)
      .map(([metric, value]) => `${metric} ${metric === 'CLS' ? value.toFixed(2) : `${Math.round(value)} ms`}`)
      .join(', ');
    const text =
      counted.visits + counted.failures === 0
        ? 'no report yet'
        : `${percent(counted.share)} of ${counted.visits} visits failed`;
    return element(
      'div',
      {},
      element('div', {}, `${label} `, element('span', { class: 'version' }, version)),
      element('div', { class: counted.share >= 0.05 ? 'bad' : 'muted' }, text),
      vitals && element('div', { class: 'muted' }, `${vitals} (75th percentile)`),
      chart(counted.series, `${label}: share of failures over the last 30 minutes; ${text}`),
    );
  }

  function card(one) {
    const back = one.canary ? one.version : one.previous;
    const share = element('select', { 'aria-label': `Share of the canary of ${one.name}` });
    for (const value of [1, 5, 10, 25, 50, 100])
      share.append(element('option', { value: String(value) }, `${value} %`));
    if (one.canary) share.value = String([1, 5, 10, 25, 50, 100].find((value) => value > one.canary.traffic) ?? 100);
    const choice = element('select', { 'aria-label': `Published releases of ${one.name}` });
    for (const { version, at } of one.published) {
      choice.append(
        element('option', { value: version }, `${version}, ${moment(at)}${version === one.version ? ', live' : ''}`),
      );
    }
    if (one.canary) choice.value = one.canary.version;
    return element(
      'article',
      { class: 'card', 'aria-label': one.name, data: { name: one.name } },
      element('h3', {}, one.name),
      element('div', { class: 'muted' }, one.version ? `since ${moment(one.since)} by ${one.by}` : 'nothing is live'),
      ...one.frozen.map(({ version, why }) =>
        element(
          'div',
          { class: 'bad' },
          `frozen ${version ?? 'altogether'}: ${why} `,
          element(
            'button',
            { class: 'quiet', press: () => act({ action: 'unfreeze', name: one.name, version: version ?? undefined }) },
            'Unfreeze',
          ),
        ),
      ),
      health('live', one.version, one.health),
      health(`canary ${one.canary?.traffic} %`, one.canary?.version, one.healthCanary),
      health('before', one.previous, one.healthBefore),
      element(
        'button',
        { disabled: !back, data: { act: 'rollback' }, press: () => goBack(one) },
        one.canary ? 'Take the canary away' : back ? `Roll back to ${back}` : 'Nothing to roll back to',
      ),
      element(
        'details',
        { data: { keep: one.name } },
        element('summary', {}, 'Other release or canary'),
        element('div', { class: 'row' }, choice),
        element(
          'div',
          { class: 'row' },
          share,
          element(
            'button',
            {
              class: 'quiet',
              press: () =>
                act({ action: 'promote', name: one.name, version: choice.value, traffic: Number(share.value) }),
            },
            'Give it this share',
          ),
        ),
      ),
    );
  }

  function table(rows) {
    const head = ['rev', 'when', 'who', 'what', 'name', 'from', 'to', 'why'];
    return element(
      'table',
      {},
      element('thead', {}, element('tr', {}, ...head.map((title) => element('th', { scope: 'col' }, title)))),
      element(
        'tbody',
        {},
        ...rows.map((row) =>
          element(
            'tr',
            {},
            ...[row.rev, moment(row.at), row.by, row.action, row.name, row.from ?? '', row.to ?? '', row.why].map(
              (cell) => element('td', {}, String(cell)),
            ),
          ),
        ),
      ),
    );
  }

  function draw(state) {
    // Drawing again while somebody chooses in a list would close it.
    if (document.activeElement?.tagName === 'SELECT') return;
    const focused = document.activeElement?.dataset.act && document.activeElement.closest('[data-name]')?.dataset.name;
    const open = [...document.querySelectorAll('details[open]')].map((node) => node.dataset.keep);
    byId('revision').textContent = `${state.channel}, revision ${state.rev}`;
    byId('releases').replaceChildren(...state.releases.map(card));
    byId('history').replaceChildren(table(state.history));
    for (const name of open) document.querySelector(`details[data-keep="${name}"]`)?.setAttribute('open', '');
    if (focused) document.querySelector(`[data-name="${focused}"] [data-act]`)?.focus();
  }

  function notice(text, undo) {
    clearTimeout(undoTimer);
    byId('notice').replaceChildren(
      element('span', {}, text),
      ...(undo ? [element('button', { press: undo }, 'Undo')] : []),
    );
    undoTimer = setTimeout(() => byId('notice').replaceChildren(), undo ? 20_000 : 8_000);
  }

  async function refresh() {
    try {
      const answer = await fetch('/ops/state.json', { cache: 'no-store' });
      if (answer.status === 401) return location.reload();
      if (!answer.ok) throw new Error(String(answer.status));
      const text = await answer.text();
      byId('lost').hidden = true;
      if (text === drawn) return;
      drawn = text;
      draw(JSON.parse(text));
    } catch {
      byId('lost').hidden = false;
    }
  }

  async function act(wanted, undo) {
    try {
      const answer = await fetch('/ops/act', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-ops': '1' },
        body: JSON.stringify({ why: 'pressed at /ops', ...wanted }),
      });
      const { message } = await answer.json();
      notice(message, answer.ok ? undo : undefined);
    } catch {
      notice('The server does not answer. Nothing is known to have changed.');
    }
    await refresh();
  }

  function goBack(one) {
    const undo = one.canary
      ? { action: 'promote', name: one.name, version: one.canary.version, traffic: one.canary.traffic }
      : { action: 'promote', name: one.name, version: one.version };
    void act({ action: 'rollback', name: one.name }, () => act({ ...undo, why: 'undo at /ops' }));
  }

  // A table that scrolls sideways must be reachable by keyboard.
  byId('history').tabIndex = 0;
  refresh();
  setInterval(() => document.visibilityState === 'visible' && refresh(), everyMs);
  document.addEventListener('visibilitychange', refresh);
})();
