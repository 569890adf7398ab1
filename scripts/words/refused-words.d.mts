interface RefusedWord {
  word: string;
  index: number;
  instead: string;
}
export function refusedIn(text: string): RefusedWord[];
export function isRefusedName(name: string): boolean;
export function hasRefusedWord(text: string): boolean;
