export function commandsIn(markdown: string): string[] {
  const blocks = [...markdown.matchAll(/^```sh.*\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  const lines = blocks.flatMap((block) => block.split('\n')).map((line) => line.replace(/(^|\s)#\s.*$/, '').trim());
  return lines.flatMap((line) => line.split(' && ')).filter(Boolean);
}
