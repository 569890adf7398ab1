export function leftBehind(
  folder: string,
  options?: { patienceMs?: number },
): Promise<{ processes: string[]; folders: string[] }>;
