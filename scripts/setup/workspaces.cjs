const fs = require('node:fs');
const path = require('node:path');

/** Folders of the workspaces in this checkout, from its root: 'shell', 'platform/releases' … */
exports.workspacesIn = (root) => {
  const { workspaces } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  return workspaces.flatMap((pattern) => matching(root, pattern));
};

/** A star stands for the rest of a folder's name. */
function matching(root, pattern) {
  const parent = path.posix.dirname(pattern);
  const [start, end = ''] = path.posix.basename(pattern).split('*');
  const isMatch = (name) => (pattern.includes('*') ? name.startsWith(start) && name.endsWith(end) : name === start);
  const names = fs.existsSync(path.join(root, parent)) ? fs.readdirSync(path.join(root, parent)) : [];
  return names
    .filter(isMatch)
    .map((name) => path.posix.join(parent, name))
    .filter((folder) => fs.existsSync(path.join(root, folder, 'package.json')));
}
