export const help = `Usage: npm run shop -- <command> [options]

Goods and codes
  import <file>              load a catalogue from .json, or codes from .csv; all or nothing. Existing goods keep the
                             fields that the file does not name
      --dry-run              check only, change nothing
      --empty                into a new shop without the demonstration's goods
Access to the staff console at /staff
  staff-setup                a single-use address for a new manager, valid for 24 hours, when no one can sign in any more
Safety
  rotate-keys                encrypt every encrypted value with the first key of CARD_KEYS, and count what is left on each key

Options for all: --json (machine-readable), --by <name> (who goes into the audit log; the login of this machine), --help
The data is found as the server finds it: DATA_DIR (.data), DATABASE_URL. On PostgreSQL they work while the shop runs.
The embedded database is the running shop's alone: stop the shop first, or use the console.`;
