/** Columns that are encrypted with the keyring. Key rotation and the check at start cover exactly these. */
export interface EncryptedColumns {
  table: string;
  what: string;
  keyId: string;
  columns: string[];
}

export const encryptedColumns: EncryptedColumns[] = [
  { table: 'card_codes', what: 'card codes', keyId: 'key_id', columns: ['card_no', 'card_pwd'] },
  { table: 'card_mark_keys', what: 'keys of marks', keyId: 'key_id', columns: ['mark_key'] },
  { table: 'orders', what: 'orders', keyId: 'fields_key', columns: ['fields_cipher'] },
  { table: 'shared_code_texts', what: 'texts for all buyers', keyId: 'key_id', columns: ['content'] },
  { table: 'staff_invitations', what: 'invitations of staff', keyId: 'totp_key', columns: ['totp_cipher'] },
  { table: 'staff_people', what: "authenticators' secrets", keyId: 'totp_key', columns: ['totp_cipher'] },
  { table: 'users', what: 'identity cards', keyId: 'id_card_key', columns: ['id_card_cipher'] },
];

export const holdsValue = ({ columns }: EncryptedColumns) =>
  `(${columns.map((column) => `${column} is not null`).join(' or ')})`;
