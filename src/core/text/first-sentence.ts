/** The first sentence of a text, and the rest: what happened, and what to do about it. A quoted name is no end. */
export function splitFirstSentence(text: string): readonly [first: string, rest: string] {
  const [first] = /^(?:[^"]|"[^"]*")*?\.(?= \p{Lu})/u.exec(text) ?? [text];
  return [first, text.slice(first.length + 1)];
}
