/** The workshop's script: the list of pages and parts, or in a frame of it one of them in one state. */
import '@shop/shared/ui';
import './workshop.css';
// Before any file of tests, whose hooks it would add its own to.
import './test-library';
import { addPages } from '@shop/shared/links';
import { createRoot } from 'react-dom/client';
import { drawState } from './draw-state';
import { readFrame } from './frames';
import { routes, testFiles } from './test-files';
import { Workshop } from './workshop';

addPages(routes);
const frame = readFrame(location.search);
const file = frame && testFiles.find(({ id }) => id === frame.file);
if (frame && file) void drawState(file, frame.test, frame.view);
else createRoot(document.body.appendChild(document.createElement('div'))).render(<Workshop files={testFiles} />);
