import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/http/clock.ts';

describe('waiting', () => {
  it('ends by itself', async () => {
    await expect(systemClock.sleep(1, new AbortController().signal)).resolves.toBeUndefined();
  });

  it('ends at once when stopped, before or meanwhile, even where no timer is that long', async () => {
    const stop = new AbortController();
    const waiting = systemClock.sleep(1e15, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    await expect(systemClock.sleep(1e15, stop.signal)).rejects.toThrow('stopped');
  });
});
