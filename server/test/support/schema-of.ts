import type { Sql } from '../../src/platform/db/sql';

/** Everything that makes up a schema, a line each: to compare two databases of one kind. */
export async function schemaOf(sql: Sql): Promise<string[]> {
  const rows = await sql.rows<{ line: string }>(
    `with mine as (select oid, relname, relkind, relacl from pg_class where relnamespace = current_schema()::regnamespace)
     select format('table %s %s', relname, relacl) as line from mine where relkind = 'r'
     union all
     select format('column %s.%s %s: %s %s %s%s default %s', t.relname,
                   row_number() over (partition by t.oid order by c.attnum), c.attname, format_type(c.atttypid, c.atttypmod),
                   case when c.attnotnull then 'not null' end, c.attidentity, c.attgenerated, pg_get_expr(d.adbin, d.adrelid))
       from mine t join pg_attribute c on c.attrelid = t.oid
       left join pg_attrdef d on d.adrelid = c.attrelid and d.adnum = c.attnum
      where t.relkind in ('r', 'c') and c.attnum > 0 and not c.attisdropped
     union all
     select format('constraint %s.%s %s', t.relname, c.conname, pg_get_constraintdef(c.oid))
       from mine t join pg_constraint c on c.conrelid = t.oid where c.contype <> 'n'
     union all
     select pg_get_indexdef(oid) from mine where relkind = 'i'
     union all
     select pg_get_triggerdef(g.oid) from mine t join pg_trigger g on g.tgrelid = t.oid where not g.tgisinternal
     union all
     select format('%s %s', pg_get_functiondef(oid), proacl) from pg_proc where pronamespace = current_schema()::regnamespace
     union all
     select format('type %s %s', typname, typtype) from pg_type where typnamespace = current_schema()::regnamespace
     union all
     select format('protected %s %s', name, may_update) from protected_tables`,
  );
  return rows.map(({ line }) => line).sort();
}
