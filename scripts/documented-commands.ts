/** The commands that stand in the code blocks of a document, in order, for tests that type them or look them up. */
export function commandsIn(markdown: string): string[] {
  const blocks = [...markdown.matchAll(/^```sh.*\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  const lines = blocks.flatMap((block) => block.split('\n')).map((line) => line.replace(/(^|\s)#\s.*$/, '').trim());
  return lines.flatMap((line) => line.split(' && ')).filter(Boolean);
}
