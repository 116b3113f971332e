/** Builds HTML as text; every inserted value is escaped unless it is HTML already. */

export interface Html {
  readonly html: string;
}

export type HtmlValue = Html | string | number | undefined | readonly HtmlValue[];

export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return { html: strings.map((text, index) => (index === 0 ? text : escapeValue(values[index - 1]) + text)).join('') };
}

const htmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

function escapeValue(value: HtmlValue): string {
  if (value === undefined) {
    return '';
  }
  if (typeof value === 'object') {
    return 'html' in value ? value.html : value.map(escapeValue).join('');
  }
  return String(value).replace(/[&<>"'`]/g, (character) => htmlEntities[character] ?? '');
}
