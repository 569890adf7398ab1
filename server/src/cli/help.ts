export const help = `Usage: npm run shop -- <command> [options]

Goods and codes
  import <file>              load a catalogue, card codes, banners and modules of the home page from .json, goods or
                             codes from .csv; all or nothing
      --dry-run              check only, change nothing
      --empty                into a new shop without the demonstration's goods
Orders
  orders                     paid orders that wait for delivery, and refunds that are asked for
  fields <order_no>          what the buyer filled in (put on record)
  deliver <order_no>         mark as delivered                        [--note "…"]
  refund <order_no>          pay back all that is left                 --reason "…"
      --amount 3.50 | --quantity 1   a part: an amount, or units at their share of what was paid
      --to wallet | source   source: where the payment came from; wallet by default
      --key <key>            the same key again is the same refund
      --revealed-ok          although the buyer has seen its codes
      --not-delivered        although its supplier has not answered: it has confirmed that it did not deliver
  refuse-refund <order_no>   refuse a refund that is asked for         --reason "…"
Payments
  payments <number>          those of an order, a recharge or a payment number
  pay-back <payment_no> <amount>  out of the wallet, back to where the money came from   --reason "…"
  reconcile <day>            compare the providers' lists of a day with the ledger
Enquiries of businesses
  enquiries                  those that wait for an answer            [--all]
  enquiry <number>           close it, with what was answered         --note "…"
Coupons
  coupons                    list of coupons with their keys
  give <phone> <coupon key>  give a coupon
Wallets and users
  adjust <phone> <±amount>   credit or deduct                          --reason "…" [--currency CNY]
  freeze <phone> <amount>    move into the frozen part                 --reason "…" [--currency CNY]
  thaw <phone> <amount>      and back                                  --reason "…" [--currency CNY]
  user <phone> <change>      disable, enable, vip, no-vip, lock or unlock (the wallet)
Access to the staff console at /staff
  staff-setup                a one-time address for a new manager, good for 24 hours: when nobody can sign in any more
The same calls as /staff, as a person who has signed in, while the shop runs
  staff login <name>         asks for the password and the code          [--url https://shop.example]
  staff logout               ends the session
  staff queue                orders that wait for a person
  staff find <text>          by number, phone, email or a code's last four
  staff fields <order_no>    take it; what the buyer filled in (put on record)
  staff deliver <order_no>   take it and deliver                      [--note "…"] [--not-delivered]
  staff refund <order_no>    role money; may wait for a second person --reason "…" [--amount --to --key --revealed-ok --not-delivered]
People's data
  export <phone> <file>      all that is stored about a person, into a new .json or .csv file (put on record)
  closures                   accounts that are being closed: when they are erased, and what they wait for
  erase <phone>              erase a person at once; records of sales stay under a pseudonym   --reason "…"
Texts
  article <id>               --title-zh … --title-en … --zh file.html --en file.html [--sort 10]
  config <key> <value>       text, or JSON like {"zh-CN":"…","en":"…"}
Figures and safety
  report [day]               the day's figures (UTC)
  backup <file>              the database, and the data folder's pictures (PostgreSQL needs pg_dump)
  restore <file>             into an empty data folder, or an empty PostgreSQL database (needs pg_restore)
      --keys <folder>        with app-secret and card-key of the shop that was backed up
  rotate-keys                encrypt every encrypted value with the first key of CARD_KEYS, and count what is left on each key

Options for all: --json (machine-readable), --by <name> (who goes into the audit log; the login of this machine), --help
The data is found as the server finds it: DATA_DIR (.data), DATABASE_URL. On PostgreSQL all but restore work while the shop runs.
The embedded database is the running shop's alone: stop the shop first, or use the console.`;
