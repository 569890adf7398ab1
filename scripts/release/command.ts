import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type ActionRequest, type ActionResults, type Check, containsKey, terminalText } from '@platform/releases';
import { type ReleaseService, UsageError } from '@platform/releases/service';
import { checkLine, type Line } from './print';
import { serviceOf } from './service';

export const text = { type: 'string' } as const;
export const flag = { type: 'boolean' } as const;
const everywhere = {
  store: text,
  shop: text,
  by: text,
  json: flag,
  help: { type: 'boolean', short: 'h' },
} as const;
export const changing = { why: text, 'dry-run': flag } as const;

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<Extra extends Options> = ReturnType<
  typeof parseArgs<{ options: Extra & typeof everywhere; allowPositionals: true }>
>;

export interface Input<Extra extends Options> {
  names: string[];
  values: Parsed<Extra>['values'];
  env: NodeJS.ProcessEnv;
  usage: string;
  change: { why?: string; dryRun: boolean };
  /** Finished checks go to standard output, announcements of slow steps to standard error; neither with --json. */
  progress: { say(line: string): void; onCheck(check: Check): void };
  service(): ReleaseService;
  runAction<Request extends ActionRequest>(request: Request): Promise<ActionResults[Request['action']]>;
}

interface Definition<Extra extends Options, Result> {
  usage: string;
  does: string;
  more?: string;
  options: Extra;
  run(input: Input<Extra>): Promise<Result>;
  print(result: Result, line: Line): void;
  /** Whether the result counts as success. Default: yes. */
  isOk?(result: Result): boolean;
}

export interface Command extends Pick<Definition<Options, unknown>, 'usage' | 'does' | 'more'> {
  /** Null if the user asked for help. Throws UsageError and the errors of @platform/releases. */
  execute(
    args: string[],
    env: NodeJS.ProcessEnv,
  ): Promise<{ result: unknown; ok: boolean; print(line: Line): void } | null>;
}

export function command<const Extra extends Options, Result>(definition: Definition<Extra, Result>): Command {
  const { usage, options, run, print, isOk = () => true } = definition;
  return {
    ...definition,
    async execute(args, env) {
      const { values, positionals: names } = parse(args, options);
      const common = values as ReturnType<typeof parse<typeof changing>>['values'];
      if (common.help) return null;
      const change = { why: common.why, dryRun: common['dry-run'] ?? false };
      const progress = progressOf(common.json ?? false);
      // One for all calls of a command, because a token of a forge is valid for one exchange.
      let made: ReleaseService | undefined;
      const service = () => (made ??= serviceOf(common, env));
      const runAction = (request: ActionRequest) => service().run(request, change, progress) as Promise<never>;
      const result = await run({ names, values, env, usage, change, progress, service, runAction });
      return { result, ok: isOk(result), print: (line) => print(result, line) };
    },
  };
}

function parse<const Extra extends Options>(args: string[], options: Extra): Parsed<Extra> {
  if (args.some(containsKey))
    throw new UsageError(
      'other users of this machine can read arguments: revoke this key, and put keys in RELEASE_KEY',
    );
  try {
    return parseArgs({ args, options: { ...options, ...everywhere }, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.split('. ')[0] : String(error));
  }
}

const progressOf = (json: boolean) => ({
  say(line: string) {
    if (!json) console.error(`  ...   ${terminalText(line, { lines: true })}`);
  },
  onCheck(check: Check) {
    if (!json && check.outcome !== 'failed') console.log(checkLine(check));
  },
});
