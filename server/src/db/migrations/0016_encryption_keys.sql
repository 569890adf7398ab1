-- The keys that values were encrypted with, each with a known text encrypted by it: a start tells a wrong or missing key by it.
create table encryption_keys (
  id text primary key,
  -- null for keys from before this table, until the next start has tried them on a value
  check_cipher bytea,
  created_at timestamptz not null default now()
);

insert into encryption_keys (id)
  select key_id from card_codes
  union select fields_key from orders where fields_cipher is not null
  union select id_card_key from users where id_card_cipher is not null;
