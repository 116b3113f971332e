/** Formats numbers, and fills values into texts. */
import { pluralize } from '../../../core/text/pluralize.ts';

export const locale = 'en-GB';

export function fillText(text: string, values: Readonly<Record<string, string | number>>): string {
  return chooseForms(text, values).replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}

/** Chooses the forms of words, and leaves `{name}` to be filled in later. */
export function chooseForms(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+):([^|}]*)\|([^}]*)\}/g, (_, name: string, one: string, many: string) =>
    pluralize(Number(values[name]), one, many),
  );
}

const numberFormat = new Intl.NumberFormat(locale);

export function formatNumber(value: number): string {
  return numberFormat.format(value);
}

export function formatPercent(value: number | undefined): string {
  return value === undefined ? '–' : value.toFixed(2);
}

/** The title of a platform; its own name where no kind of source has one. */
export function formatOperatingSystem(titles: Readonly<Record<string, string>>, platform: string): string {
  return (Object.hasOwn(titles, platform) ? titles[platform] : undefined) ?? platform;
}

/** The glossary's anchor of a word; a term with several meanings has several. */
export function toWordId(group: string, word: string): string {
  return `word-${group}-${word.toLowerCase().replaceAll(' ', '-')}`;
}
