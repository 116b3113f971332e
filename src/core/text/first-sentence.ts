/** The first sentence of a text, and the rest: what happened, and what to do about it. */
export function splitFirstSentence(text: string): readonly [first: string, rest: string] {
  const end = text.search(/\. (?=\p{Lu})/u);
  return end === -1 ? [text, ''] : [text.slice(0, end + 1), text.slice(end + 2)];
}
