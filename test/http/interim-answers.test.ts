/** An interim answer that nobody asked for is passed over, and the connection stays (A15 of the attacks). */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { HttpClient } from '../../src/http/client.ts';
import { fakeClock } from './loopback.ts';

it.each(['100 Continue', '103 Early Hints'])('A15: an unasked %s before each answer', async (interim) => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('data', () => socket.write(`HTTP/1.1 ${interim}\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi`));
    onTestFinished(() => void socket.destroy());
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = new HttpClient({
    ...{ who: 'The server', origin: `http://127.0.0.1:${port}`, clock: fakeClock() },
    signal: new AbortController().signal,
  });
  for (let request = 0; request < 3; request += 1) {
    expect(await client.send({ url: '/' }, ({ body }) => body.toString())).toBe('hi');
  }
  expect(connections).toBe(1);
});
