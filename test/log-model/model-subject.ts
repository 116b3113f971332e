/** The model as a subject of its own schedules, over a store in memory: proves the gate and the player. */
import type { Store } from '../../src/storage/store.ts';
import { hashText } from './commit.ts';
import { describeMemory } from './outcome.ts';
import {
  type Answer,
  answerRequest,
  type Memory,
  makeMemory,
  type Place,
  type Request,
  requestFailed,
} from './requests.ts';
import { writtenRules } from './rules.ts';
import { playRun } from './run.ts';
import type { LogSubject, SubjectRun } from './subject.ts';
import { verify } from './verify.ts';

const keyTaken = new Error('The key is taken.');
const sourceMissing = new Error('There is nothing to copy.');

export function createModelSubject(): LogSubject {
  const memory = makeMemory();
  return {
    store: createMemoryStore(memory, 'store'),
    audit: createMemoryStore(memory, 'audit'),
    play: playModelRun,
    describe: async (settings) => describeMemory(memory, verify(memory, settings)),
    makeFailure: () => requestFailed,
  };
}

async function playModelRun({ plan, label, isSigned, store, audit }: SubjectRun): Promise<number> {
  const steps = playRun({
    plan,
    label,
    isSigned,
    hasAudit: audit !== undefined,
    rules: writtenRules,
    attempts: { made: 0 },
  });
  let result = steps.next({});
  while (result.done !== true) {
    const place = result.value.place === 'audit' && audit !== undefined ? audit : store;
    const answer = await askStore(place, result.value).catch((error: unknown) => error);
    result = answer instanceof Error ? steps.throw(answer) : steps.next(answer as Answer);
  }
  return result.value;
}

async function askStore(store: Store, request: Request): Promise<Answer> {
  switch (request.kind) {
    case 'read':
      return { text: (await store.read(request.key))?.toString() };
    case 'list':
      return { keys: await Array.fromAsync(store.list(request.key)) };
    case 'remove':
      await store.remove(request.key);
      return {};
    case 'copy':
      try {
        await store.copy(request.from, request.key);
        return { text: '' };
      } catch (error) {
        if (error !== sourceMissing) {
          throw error;
        }
        return {};
      }
    case 'put':
      await store.put(request.key, Buffer.from(request.text));
      return {};
    case 'create':
      try {
        await store.create(request.key, Buffer.from(request.text));
        return { isTaken: false };
      } catch (error) {
        if (error !== keyTaken) {
          throw error;
        }
        return { isTaken: true };
      }
  }
}

function createMemoryStore(memory: Memory, place: Place): Store {
  const write = async (kind: 'create' | 'put', key: string, body: unknown) => {
    const text = String(body);
    if (answerRequest(memory, { kind, place, key, text }).isTaken === true) {
      throw keyTaken;
    }
    return { bytes: text.length, sha256: hashText(text) };
  };
  const read = (key: string) => answerRequest(memory, { kind: 'read', place, key }).text;
  return {
    name: place,
    probe: async () => undefined,
    read: async (key) => {
      const text = read(key);
      return text === undefined ? undefined : Buffer.from(text);
    },
    async *stream(key) {
      yield Buffer.from(read(key) ?? '');
    },
    digest: async (key) => {
      const text = read(key);
      return text === undefined ? undefined : hashText(text);
    },
    async *list(prefix) {
      yield* answerRequest(memory, { kind: 'list', place, key: prefix }).keys ?? [];
    },
    create: (key, body) => write('create', key, body),
    put: (key, body) => write('put', key, body),
    copy: async (from, to) => {
      if (answerRequest(memory, { kind: 'copy', place, key: to, from }).text === undefined) {
        throw sourceMissing;
      }
    },
    remove: async (key) => {
      answerRequest(memory, { kind: 'remove', place, key });
    },
  };
}
