/** Answers the questions of `muster init`: from options of the command line first, then by asking the person at the terminal. */
import { createInterface, type Interface } from 'node:readline/promises';
import * as v from 'valibot';
import { MusterError } from '../../base/errors.ts';
import { toPrintableText } from '../../reports/cell.ts';
import type {
  Acceptance,
  Choice,
  Interviewer,
  Question,
  TextQuestion,
  UnknownInstrument,
} from '../../sources/interview.ts';
import { printLines } from '../console/session.ts';
import { toTerminalText } from '../console/terminal-text.ts';
import { describeWrongChoice, findChoice, formatChoices } from './choose.ts';

export interface InterviewOptions {
  /** Answers by the names of options, such as jamf-url. */
  readonly given: ReadonlyMap<string, string>;
  /** Whether a person answers questions without an option. */
  readonly asks: boolean;
  /** Date of an acceptance, YYYY-MM-DD. */
  readonly today: string;
}

type Read = (answer: string) => { readonly value: string } | { readonly problem: string };

export class TerminalInterviewer implements Interviewer {
  readonly #options: InterviewOptions;
  /** Last answers, which a repeated question offers. */
  readonly #answers = new Map<string, string>();
  readonly #ended = new AbortController();
  #terminal: Interface | undefined;
  #isRepeating = false;

  constructor(options: InterviewOptions) {
    this.#options = options;
  }

  tell(line: string): void {
    printLines([toPrintableText(line)]);
  }

  askText(question: TextQuestion): Promise<string> {
    return this.#answer(question, (answer) => {
      const result = v.safeParse(question.schema ?? nonEmptySchema, answer);
      return result.success ? { value: result.output } : { problem: `It ${result.issues[0].message}.` };
    });
  }

  async choose(question: Question, choices: readonly Choice[]): Promise<string> {
    const isGiven = this.#options.given.has(question.option);
    if (choices.length === 0 && question.isOptional && !isGiven) {
      return '';
    }
    if (this.#options.asks && !isGiven) {
      printLines(['', ...formatChoices(choices)]);
    }
    return this.#answer(question, (answer) => {
      const value = findChoice(answer, choices);
      return value === undefined ? { problem: describeWrongChoice(answer, choices) } : { value };
    });
  }

  async readOption(option: string, schema: v.GenericSchema<string, string>): Promise<string | undefined> {
    return this.#options.given.has(option) ? this.askText({ option, text: option, schema }) : undefined;
  }

  async review({ what, text, sha256 }: UnknownInstrument): Promise<Acceptance | undefined> {
    const { given, asks, today: on } = this.#options;
    const isAccepted = given.get('accept')?.split(',').includes(sha256) === true;
    if (!isAccepted && asks) {
      const lines = text.trimEnd().split('\n');
      const shown = lines.map((line) => `  | ${toPrintableText(`.${line.replaceAll('\t', '  ')}`).slice(1)}`);
      printLines(['', `Muster does not know the ${toPrintableText(what)}:`, ...shown]);
    }
    const question = { option: 'accepted-by', text: reviewQuestion, isOptional: true };
    const by = isAccepted || asks ? await this.askText(question) : '';
    if (by !== '') {
      return { sha256, by, on };
    }
    this.tell(`Nobody has accepted the ${what}, so that nothing is proven. When a person has read it, begin again`);
    this.tell(`with --accept ${sha256} --accepted-by NAME.`);
    return undefined;
  }

  async repeatUntilAccepted<Result>(work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        const result = await work();
        this.#isRepeating = false;
        return result;
      } catch (error) {
        if (!this.#options.asks || !(error instanceof MusterError) || error.code === 'stopped') {
          throw error;
        }
        this.tell(`[${error.code}] ${error.message}`);
        this.#isRepeating = true;
      }
    }
  }

  [Symbol.dispose](): void {
    this.#terminal?.close();
  }

  async #answer(question: Question, read: Read): Promise<string> {
    const { option, standard, isOptional } = question;
    const given = this.#isRepeating ? undefined : this.#options.given.get(option);
    for (let answer = given; ; answer = undefined) {
      const text = answer ?? (this.#options.asks ? await this.#ask(question) : standard) ?? '';
      if (text === '' && isOptional) {
        return text;
      }
      const result = read(text);
      if ('value' in result) {
        this.#answers.set(option, text);
        return result.value;
      }
      if (!this.#options.asks) {
        throw new MusterError('command-line', `${question.text}: answer with --${option}. ${result.problem}`);
      }
      this.tell(result.problem);
    }
  }

  async #ask({ option, text, standard, isOptional }: Question): Promise<string> {
    // Ctrl-C and the end of the input close it; without this, a question would wait forever.
    this.#terminal ??= createInterface({ input: process.stdin, output: process.stdout }).once('close', () =>
      this.#ended.abort(),
    );
    const offered = this.#answers.get(option) ?? standard;
    const none = isOptional ? ' (empty: none)' : '';
    const hint = offered === undefined ? none : ` [${toPrintableText(offered)}]`;
    try {
      const answer = await this.#terminal.question(toTerminalText(`${text}${hint}: `), { signal: this.#ended.signal });
      return answer.trim() || (offered ?? '');
    } catch (cause) {
      throw new MusterError('stopped', 'Stopped before the last answer; no file was written.', { cause });
    }
  }
}

const nonEmptySchema = v.pipe(v.string(), v.nonEmpty('must not be empty'));

const reviewQuestion = 'Does it say exactly whether the agent is there? The name of the person who read it';
