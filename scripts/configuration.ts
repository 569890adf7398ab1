/** `npm run configuration`: writes docs/operations/configuration.md and .env.example from the schema of the server's settings. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type CallKind, callKinds, defaultLimits } from '@shop/server/platform/db/call-limits';
import { supplierVariables, variableSections } from '@shop/server/platform/settings/variables';

interface Variable {
  name: string;
  description: string;
  development: string;
  production: string;
  example: string;
}
interface Schema {
  description: string;
  default?: string | number;
  examples?: string[];
}

const titles: Record<keyof ReturnType<typeof variableSections>, string> = {
  process: 'Process',
  shop: 'Shop',
  payments: 'Payments',
  messages: 'Text messages, mail, push and notices to staff',
  storage: 'Uploaded pictures',
  signIn: 'Sign-in by WeChat',
  suppliers: 'Suppliers',
  releases: 'Release API and webhooks',
  traces: 'Traces',
};

/** Variables that programs read without the schema of the server's settings. */
const otherSections: Array<{ title: string; variables: Array<[name: string, description: string, example?: string]> }> =
  [
    {
      title: 'Release store',
      variables: [
        ['RELEASE_STORE', 'Folder or bucket of the releases; default: `store` in `DATA_DIR`.', 's3://bucket/prefix'],
        ['AWS_ACCESS_KEY_ID', 'Key for a bucket. The AWS SDK’s other variables work, too.'],
        ['AWS_SECRET_ACCESS_KEY', 'The key’s secret.'],
        ['AWS_REGION', 'Region of the bucket; default: `us-east-1`.', 'eu-central-1'],
        ['AWS_ENDPOINT_URL', 'Address of an S3 service other than Amazon’s.', 'https://s3.example'],
      ],
    },
    {
      title: 'The command `npm run release`',
      variables: [
        ['RELEASE_SHOP', 'Works through the release API of this shop instead of on a store.', 'https://shop.example'],
        ['RELEASE_KEY', 'Release key for that API.'],
        ['RELEASE_TOKEN', 'Token of a forge for that API, instead of a key.'],
        ['RELEASE_BY', 'Name in the history for work on a store; default: the account.', 'ann'],
        ['SHOP_URL', 'Running shop whose API the gate uses; default: the shop of `DATA_DIR`.', 'https://shop.example'],
        ['RELEASE_GATE', '`strict`: a missing browser or shop fails the gate.', 'strict'],
        ['RELEASE_GATE_ACCOUNT', 'Account that the gate signs in with, `phone:password`.'],
        ['GATE_SANDBOX', '`off`: Chromium runs without its sandbox, as root must.', 'off'],
        ['CHROME_PATH', 'Chromium for the gate and for tests.', '/usr/bin/chromium'],
      ],
    },
  ];

const kinds: Record<CallKind, string> = {
  read: 'read (GET calls, previews)',
  write: 'write, and sessions',
  notice: 'payment notice',
  job: 'job',
  staff: 'start, commands, order exports',
  health: '`/healthz`',
};

function sections(): Array<{ title: string; variables: Variable[] }> {
  const [development, production] = [false, true].map(variableSections);
  const ofServer = Object.entries(titles).map(([key, title]) => {
    const schemas = (all = production) => all?.[key as keyof typeof titles] as unknown as Record<string, Schema>;
    const variables = Object.keys(schemas()).map((name) =>
      variableOf(name, schemas()[name] as Schema, schemas(development)[name] as Schema),
    );
    return { title, variables: key === 'suppliers' ? [...variables, ...ofSuppliers()] : variables };
  });
  const others = otherSections.map(({ title, variables }) => ({
    title,
    variables: variables.map(([name, description, example = '']) =>
      variableOf(name, { description, examples: [example] }),
    ),
  }));
  return [...ofServer, ...others];
}

const variableOf = (name: string, production: Schema, development = production): Variable => ({
  name,
  description: production.description,
  development: String(development.default ?? ''),
  production: String(production.default ?? ''),
  example: production.examples?.[0] ?? '',
});

function ofSuppliers(): Variable[] {
  const { url, key } = supplierVariables(true);
  return Object.entries({ URL: url, KEY: key }).map(([end, schema]) =>
    variableOf(`SUPPLIER_<NAME>_${end}`, schema as unknown as Schema),
  );
}

const code = (value: string) => (value ? `\`${value}\`` : '');
const tableOf = (head: readonly string[], rows: readonly string[][]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

function defaultOf({ development, production }: Variable): string {
  if (development === production) return code(production);
  return [development && `${code(development)}`, production && `${code(production)} in production`]
    .filter(Boolean)
    .join('; ');
}

function limitsTable(): string {
  const rows = callKinds.map((kind) => {
    const { statementMs, lockMs, idleMs, waitMs, waiting, connections } = defaultLimits[kind];
    return [kinds[kind], ...[statementMs, lockMs, idleMs, waitMs].map((ms) => ms / 1000), waiting, connections].map(
      String,
    );
  });
  const head = ['kind of call', 'statement', 'lock', 'idle transaction', 'connection', 'queue', 'connections'];
  return tableOf(head, rows);
}

export function configurationDocument(): string {
  const parts = sections().map(({ title, variables }) => {
    const rows = variables.map((variable) => [
      code(variable.name),
      variable.description,
      defaultOf(variable),
      code(variable.example),
    ]);
    return `## ${title}\n\n${tableOf(['variable', 'meaning', 'default', 'example'], rows)}\n`;
  });
  const connections = callKinds.reduce((sum, kind) => sum + defaultLimits[kind].connections, 0);
  return `<!-- Generated by \`npm run configuration\` from server/src/platform/settings. Do not edit. -->

# Configuration

The server reads environment variables. [.env.example](../../.env.example) lists all of them.

- Every variable \`NAME\` of the server can be in a file instead: set \`NAME_FILE\` to its path. The release store, the service worker and the
  commands below read their variables from the environment only.
- An empty variable counts as not set.
- The server prints every missing or malformed variable on its own line and does not start.
- \`NODE_ENV=production\` refuses sandboxes, test keys and secrets that are easy to guess. Outside production, missing secrets are created in
  \`DATA_DIR\` and a provider without configuration is a sandbox. In production such a provider is absent.

${parts.join('\n')}
## Limits of the database

Each kind of call has its own limits, and on PostgreSQL its own pool. A call beyond a limit gets 503 with \`Retry-After: 1\` and code 50301.
Times are in seconds: of a statement, of a wait for a lock, of a transaction without a statement, of a wait for a connection. The queue is
the number of waiting calls of one statement. One server uses at most ${connections} connections.

${limitsTable()}
`;
}

function envExample(): string {
  const parts = sections().map(({ title, variables }) => {
    const entries = variables.map((variable) => {
      const value = variable.example || variable.development || variable.production;
      return `# ${variable.description.replaceAll('`', '')}\n# ${variable.name}=${/[\s<>]/.test(value) ? `"${value}"` : value}`;
    });
    return `# ${title.replaceAll('`', '')}\n\n${entries.join('\n')}\n`;
  });
  return `# Generated by \`npm run configuration\`. Copy this file to .env, uncomment what you need, and load it before the start:
#   set -a; . ./.env; set +a; npm start
# docs/operations/configuration.md describes defaults and limits.

${parts.join('\n')}`;
}

const root = path.resolve(__dirname, '..');
export const generated: Record<string, () => string> = {
  'docs/operations/configuration.md': configurationDocument,
  '.env.example': envExample,
};

if (require.main === module) {
  for (const [file, content] of Object.entries(generated)) writeFileSync(path.join(root, file), content());
}
