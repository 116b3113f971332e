/** A line that a person or a program reads, with what it stands under. */
export interface Line {
  readonly place: string;
  /** What the line stands under, and then the line, between ` › `. */
  readonly text: string;
  /** The channel's part of the devices or of the events, where it has one of its own. */
  readonly part?: string;
}

export function hasDigit({ text }: Pick<Line, 'text'>): boolean {
  return /\d/.test(text);
}
