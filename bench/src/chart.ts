/** `npm run bench:chart`: draws docs/images/load.svg from the last run of bench:load. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { loadChart } from './report/chart';
import { root } from './report/report';

const { rows } = JSON.parse(readFileSync(path.join(root, 'bench', 'results', 'load.json'), 'utf8'));
writeFileSync(path.join(root, 'docs', 'images', 'load.svg'), loadChart(rows));
console.log('docs/images/load.svg');
