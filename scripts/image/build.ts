/** `node --import tsx scripts/image/build.ts <folder>`: writes the files of a container image; see Containerfile. */
import path from 'node:path';
import { writeImageFiles } from './image-files';

const [folder = ''] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder to write to.');
writeImageFiles(path.resolve(folder)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
