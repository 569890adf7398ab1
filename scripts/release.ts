/** `npm run release -- <command>`; what the commands do stands in release/src, how they are typed and shown in scripts/release/. */
import { main } from './release/main';

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error);
    process.exitCode = 70;
  },
);
