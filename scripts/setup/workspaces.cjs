const fs = require('node:fs');
const path = require('node:path');

/** Folders of the workspaces in this checkout, from its root: 'shell', 'platform/releases' … A sparse checkout lacks some. */
exports.workspacesIn = (root) => {
  const { packages } = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  return Object.keys(packages).filter(
    (place) => place && !place.includes('node_modules/') && fs.existsSync(path.join(root, place, 'package.json')),
  );
};
