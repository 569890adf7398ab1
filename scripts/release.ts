/** `npm run release -- <command>`; the operations are in platform/releases/src, arguments and output in scripts/release/. */
import { allowClosedPipe } from '@platform/releases';
import { main } from './release/main';

allowClosedPipe();
main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error);
    process.exitCode = 70;
  },
);
