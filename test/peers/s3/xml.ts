/** As much XML as S3's answers and the one body it reads need. */

function escapeXml(text: string): string {
  return text.replace(/[&<>"'\r]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

export function element(name: string, text: string | number | boolean): string {
  return `<${name}>${escapeXml(String(text))}</${name}>`;
}

export function answer(root: string, inner: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${inner.join('')}</${root}>`;
}

/** The blocks of one name, each as its child elements' texts. */
export function blocks(xml: string, name: string): Map<string, string>[] {
  return [...xml.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, 'g'))].map(
    ([, inner]) =>
      new Map(
        [...(inner ?? '').matchAll(/<(\w+)>([^<]*)<\/\1>/g)].map(([, child, text]) => [child ?? '', unescapeXml(text)]),
      ),
  );
}

function unescapeXml(text = ''): string {
  const names: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return text
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => names[name] ?? '');
}
