'use strict';
/**
 * A loader for the styles of a remote: each selector applies only below an element with `data-remote="<remote>"`. `:where` adds
 * no specificity, so the cascade stays as the squad wrote it (docs/adr/0003-isolation-and-recovery.md). Option: remote, the name
 * in remote.json.
 */
const postcss = require('postcss');
const selectorParser = require('postcss-selector-parser');

/** @param {string} selector */
function documentPart(selector) {
  /** @type {string | undefined} */
  let part;
  selectorParser((selectors) => {
    selectors.walk((node) => {
      const isElement = node.type === 'tag' && /^(html|body)$/i.test(node.value);
      if (isElement || (node.type === 'pseudo' && /^:(root|host)/i.test(node.value))) part ??= node.toString().trim();
    });
  }).processSync(selector);
  return part;
}

/** @typedef {import('postcss').Container | import('postcss').Document | undefined} Parent */

/** @param {import('postcss').Rule} rule */
const isKeyframe = ({ parent }) =>
  parent?.type === 'atrule' && /keyframes$/i.test(/** @type {import('postcss').AtRule} */ (parent).name);
/** @param {import('postcss').Rule} rule */
const isNested = (rule) => {
  for (let parent = /** @type {Parent} */ (rule.parent); parent; parent = parent.parent)
    if (parent.type === 'rule') return true;
  return false;
};

/** The names that these rules define are valid in the whole document. */
const namingRules = /^(-webkit-)?keyframes$|^(property|counter-style|font-palette-values|position-try)$/i;

/** These rules have no selector. */
const documentRules = /^(page|view-transition)$/i;

/** @param {string} css @param {string} remote @param {string} from */
function scopeStyles(css, remote, from) {
  const root = postcss.parse(css, { from });
  root.walkAtRules(namingRules, (rule) => {
    if (!rule.params.replace(/^--/, '').startsWith(`${remote}-`))
      throw rule.error(`@${rule.name} ${rule.params}: the name must start with "${remote}-"`, { word: rule.params });
  });
  root.walkAtRules(documentRules, (rule) => {
    throw rule.error(`@${rule.name} is outside the pages of ${remote}`);
  });
  root.walkRules((rule) => {
    if (isKeyframe(rule)) return;
    const part = documentPart(rule.selector);
    if (part) {
      const why = `${part} is outside the pages of ${remote}: style an element of the page, or use a token of the shell`;
      throw rule.error(why, { word: part });
    }
    if (isNested(rule)) return;
    rule.selectors = rule.selectors.map((selector) => `:where([data-remote=${remote}]) ${selector}`);
  });
  return root;
}

/**
 * @this {import('@rspack/core').LoaderContext<{ remote: string }>}
 * @param {string} css
 */
module.exports = function loader(css) {
  const root = scopeStyles(css, this.getOptions().remote, this.resourcePath);
  const { css: scoped, map } = root.toResult({
    from: this.resourcePath,
    to: this.resourcePath,
    map: this.sourceMap ? { inline: false, annotation: false } : false,
  });
  // css-loader resolves a relative name from the working directory.
  this.callback(null, scoped, map && JSON.stringify({ ...map.toJSON(), sources: [this.resourcePath] }));
};
