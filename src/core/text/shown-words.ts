/** Words of the files for which people read another one. */
const shownWords: Readonly<Record<string, string>> = { carried: 'last known' };

export function showWord(word: string): string {
  return shownWords[word] ?? word;
}
