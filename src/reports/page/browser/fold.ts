/** Text as it is searched: without accents, in lower case, with one kind of quotation mark. */
export function foldForSearch(text: string): string {
  // Most names are plain and need no normalization.
  const plain = /^[ -~]*$/.test(text)
    ? text
    : text
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '')
        .replace(/[\p{Cc}\s]+/gu, ' ');
  return plain
    .replace(/[\u0060\u00b4\u2018\u2019\u201a\u201b\u2032\u02bc\uff07]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb]/g, '"')
    .toLowerCase();
}

export function splitQuery(query: string): string[] {
  return foldForSearch(query)
    .split(/\s+/)
    .filter((word) => word !== '');
}
