/** The lines of a message as its channel renders it: every text and every number of the payload. */
import type { Payload } from './history.ts';
import type { Line } from './line.ts';

export function listMessageLines({ channel, payload }: Payload): Line[] {
  const part = channel.name === 'weekly' ? 'weekly' : (channel.only?.site ?? channel.only?.source)?.[0];
  const texts = channel.audience === 'people' ? listTexts(payload, 'message') : listTexts(payload, 'event');
  return texts.map((text) => ({ place: channel.name, text, ...(part !== undefined && { part }) }));
}

/** Every text and every number of a document, with its keys; a document in a text is one too. */
function listTexts(value: unknown, under: string): string[] {
  if (typeof value === 'string') {
    if (/^\{".*\}$/s.test(value)) {
      return listTexts(JSON.parse(value), under);
    }
    const lines = /<\/(p|td|li|h\d)>/.test(value) ? splitHtml(value) : value.split('\n');
    return lines.map((line) => `${under} › ${line.trim()}`);
  }
  if (typeof value === 'number') {
    return [`${under} › ${value}`];
  }
  if (value === null || typeof value !== 'object') {
    return [];
  }
  if (Array.isArray(value)) {
    // Pieces of one line, of which some are links.
    const isLine = value.length > 0 && value.every((one) => /^(?:text|link|TextRun)$/.test(one?.type));
    return isLine
      ? listTexts(value.map(({ text }) => text).join(''), under)
      : value.flatMap((one) => listTexts(one, under));
  }
  const { kind, phase, source } = value as Record<string, unknown>;
  const own =
    typeof phase === 'string' ? `${under} › ${kind}/${phase}${source === undefined ? '' : ` › ${source}`}` : under;
  return Object.entries(value).flatMap(([key, one]) =>
    /^(id|key|dedup_key|building|value|DetailType)$/.test(key)
      ? []
      : listTexts(
          one,
          /^(elements|text|blocks|items|body|content|inlines|attachments|events|entries|Detail|payload|custom_details|html|Message|title|figures|lines|summary|fallbackText|subject|Subject)$/.test(
            key,
          ) && typeof one !== 'number'
            ? key === 'figures' && typeof one === 'object'
              ? `${own} › figures`
              : own
            : `${own} › ${key}`,
        ),
  );
}

function splitHtml(html: string): string[] {
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" };
  return html
    .replace(/<(style|head|title)[\s\S]*?<\/\1>/g, '')
    .replace(/<\/(?:p|td|li|h\d|tr|div|ul)>|<br>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&([a-z]+|#39);/g, (all, name: string) => entities[name] ?? all)
    .split('\n');
}
