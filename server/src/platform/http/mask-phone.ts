/** "138****0001": the first three digits and the last four; of a short number none. */
export const maskPhone = (phone: string): string => phone.replace(/^(?:(.{3}).+(.{4})|.*)$/s, '$1****$2');
/** "an***@mail.example" */
export const maskEmail = (email: string): string => email.replace(/^(.{0,2}).*(@.*)$/, '$1***$2');
