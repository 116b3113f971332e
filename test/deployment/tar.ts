/** The header of a file in a tar archive; without a magic it is of the oldest dialect. */
export function makeTarHeader(name: string, bytes = 0, magic = 'ustar\u000000'): Buffer {
  const head = Buffer.alloc(512);
  head.write(name, 0);
  head.write('0000644\u00000000000\u00000000000\0', 100);
  head.write(`${bytes.toString(8).padStart(11, '0')}\0`, 124);
  head.write('14000000000\u0000        0', 136);
  head.write(magic, 257);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return head;
}
