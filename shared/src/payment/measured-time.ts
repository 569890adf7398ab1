/** Formats a median of seconds as "3 minutes". */
export function measuredTime(seconds: number, language: string): string {
  const [unit, count] =
    seconds < 55
      ? (['second', Math.max(1, Math.ceil(seconds / 10)) * 10] as const)
      : seconds < 3570
        ? (['minute', Math.max(1, Math.round(seconds / 60))] as const)
        : seconds < 171_000
          ? (['hour', Math.round(seconds / 3600)] as const)
          : (['day', Math.round(seconds / 86_400)] as const);
  const text = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
  return text.replace(/(\d)(\p{Script=Han})/u, '$1 $2');
}
