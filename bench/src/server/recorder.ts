import type { Database } from '../../../server/src/platform/db/database';
import type { Sql } from '../../../server/src/platform/db/sql';

interface Statement {
  text: string;
  values: unknown[];
}

/** The database as it is, with every statement outside of transactions written down. */
export function recording(db: Database): { db: Database; statements: Statement[] } {
  const statements: Statement[] = [];
  const proxy: Database = new Proxy(db, {
    get(target, name, receiver) {
      if (name === 'as') return () => proxy;
      if (name !== 'rows' && name !== 'run') return Reflect.get(target, name, receiver);
      return (text: string, values: unknown[] = []) => {
        statements.push({ text, values });
        return target[name](text, values);
      };
    },
  });
  return { db: proxy, statements };
}

/** The statement with its values in place, as EXPLAIN takes it. */
const inlined = ({ text, values }: Statement) =>
  text.replace(/\$(\d+)/g, (_whole, index: string) => literal(values[Number(index) - 1]));

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'::bytea`;
  if (Array.isArray(value) && value.some((one) => Buffer.isBuffer(one)))
    return `array[${value.map(literal).join(',')}]`;
  const text = Array.isArray(value) ? `{${value.map((one) => JSON.stringify(one)).join(',')}}` : String(value);
  return `'${text.replaceAll("'", "''")}'`;
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}

const MANY_ROWS = 5000;

interface Explained {
  /** Rows that were read to answer, whether they were kept or not. */
  rowsRead: number;
  /** Large tables that were read from end to end. */
  wholeTables: string[];
}

export async function explain(sql: Sql, statement: Statement): Promise<Explained> {
  const [row] = await sql.rows<{ 'QUERY PLAN': Array<{ Plan: Plan }> }>(
    `explain (analyze, timing off, format json) ${inlined(statement)}`,
  );
  const found: Explained = { rowsRead: 0, wholeTables: [] };
  const visit = (plan: Plan): void => {
    if (!plan.Plans?.length || plan['Relation Name']) {
      const each =
        plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0);
      found.rowsRead += Math.round(each * plan['Actual Loops']);
      // One that stops at a bound has read no more than that.
      if (plan['Node Type'] === 'Seq Scan' && each * plan['Actual Loops'] > MANY_ROWS)
        found.wholeTables.push(plan['Relation Name'] ?? '');
    }
    for (const one of plan.Plans ?? []) visit(one);
  };
  if (row) for (const { Plan } of row['QUERY PLAN']) visit(Plan);
  return found;
}
