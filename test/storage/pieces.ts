/** A body of so many million bytes, in pieces of a million. */
export async function* megabytes(count: number, letter = 'x'): AsyncGenerator<Buffer> {
  for (let made = 0; made < count; made += 1) {
    yield Buffer.alloc(1_000_000, letter);
  }
}
