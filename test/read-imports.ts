/** What the text of a file imports, as written there: also types, and what is imported only when it is used. */
export function readImports(text: string): string[] {
  const patterns = [/\bfrom\s+'([^']+)'/g, /^import\s+'([^']+)'/gm, /\bimport\(\s*'([^']+)'\s*\)/g];
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? ''));
}
