/** "138****0001", "+14****0100": the first three letters and up to the last four, so that at least four are hidden; of a short number none; '' stays ''. */
export function maskPhone(phone: string): string {
  const last = Math.min(4, phone.length - 7);
  if (!phone) return '';
  return last > 0 ? `${phone.slice(0, 3)}****${phone.slice(-last)}` : '****';
}
