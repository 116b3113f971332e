/** What the platforms answer lies in JSON templates; this fills them once and lays over them what varies. */

/** A copy of the template, with a value for each name in double braces. */
export function fillTemplate<Template>(template: Template, values: Readonly<Record<string, string>>): Template {
  return JSON.parse(JSON.stringify(template), (_, part: unknown) =>
    typeof part === 'string' ? part.replace(/\{\{(\w+)\}\}/g, (_, name: string) => findValue(values, name)) : part,
  ) as Template;
}

function findValue(values: Readonly<Record<string, string>>, name: string): string {
  const value = values[name];
  if (value === undefined) {
    throw new Error(`a template names {{${name}}}, which has no value`);
  }
  return value;
}

/** An object of its own for each overlay, which nothing shares. The types of JSON are wider than those of the objects. */
export function createFromTemplate<Item extends object>(template: object, overlay: object): Item {
  return { ...structuredClone(template), ...overlay } as Item;
}
