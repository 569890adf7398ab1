/** "138****0001": the first three digits and the last four. */
export const maskPhone = (phone: string): string => phone.replace(/^(.{0,3}).*?(.{0,4})$/s, '$1****$2');
