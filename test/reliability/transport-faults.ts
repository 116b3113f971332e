/** Faults of signing in and of transport. */
import type { FaultArea } from './fault.ts';

const carried = 'One source that fails never closes a run.';

export const transportFaults: readonly FaultArea[] = [
  {
    title: 'Signing in',
    faults: {
      A1: { fault: 'The token expires between two pages, at any page', outcome: 'SAME' },
      A2: {
        fault: 'Every request is answered 401, also with a fresh token',
        outcome: 'PART',
        note: `At most two renewals for each request. ${carried}`,
      },
      A3: { fault: 'Every page is answered 401 once', outcome: 'SAME', note: 'One renewal for each 401.' },
      A4: {
        fault: '403: a permission is missing',
        outcome: 'PART',
        note: 'Asked once; the message names the permission.',
      },
      A5: {
        fault: 'The token endpoint answers 429, 500, a web page, no token, or a lifetime that is none; or hangs',
        outcome: 'RULE',
        note: 'Passing failures: SAME. Lasting ones: PART. A lifetime that is none never becomes a date; the token is used until it is refused.',
      },
      A6: { fault: 'Tokens live shorter than any safety margin', outcome: 'SAME' },
      A7: { fault: 'Twenty requests find the token expired at once', outcome: 'SAME', note: 'They share one sign-in.' },
      A8: {
        fault: 'A sign-in fails while others wait for it',
        outcome: 'PART',
        note: 'All fail once, for the same reason.',
      },
      A9: { fault: 'The platform takes a token back during the run', outcome: 'SAME' },
      A10: {
        fault: 'The secret was rotated since it was read',
        outcome: 'SAME',
        note: 'Read once more when it is refused; PART where that one is refused too.',
      },
      A11: {
        fault: 'The secret is JSON, has a line break or a byte-order mark, is empty, or is no text',
        outcome: 'RULE',
        note: 'Trimmed where that is safe, otherwise refused by name without a word of it.',
      },
      A12: {
        fault: 'This machine’s clock is wrong by minutes, hours or a day',
        outcome: 'RULE',
        note: 'Tokens: SAME, as lifetimes are measured and not compared with dates. Above an hour: an alert. Above a day: CLOSED.',
      },
      A13: {
        fault: 'A warm function finds the token of an earlier invocation expired',
        outcome: 'SAME',
        note: 'Every invocation reads its secrets and signs in anew.',
      },
      A14: {
        fault: 'The token is for another tenant or audience',
        outcome: 'PART',
        note: 'A 401 like every other, and no loop.',
      },
    },
  },
  {
    title: 'HTTP and transport',
    faults: {
      H1: {
        fault: 'Retry-After in seconds, as a date, zero, negative, no number, far ahead, missing, or again and again',
        outcome: 'RULE',
        note: 'Never asked before the server allows it; where the wait exceeds the time that is left, PART.',
      },
      H2: {
        fault: '429 at every page',
        outcome: 'PART',
        note: 'The number of requests is bounded, and the receipt has the rows received so far. All requests for one address wait together.',
      },
      H3: { fault: '500, 502, 503 or 504 for a while', outcome: 'SAME' },
      H4: { fault: '500, 502, 503 or 504 for ever', outcome: 'PART', note: 'The message says how long Muster waited.' },
      H5: {
        fault: '503 with and without Retry-After',
        outcome: 'SAME',
        note: 'Without it: waits that double, with jitter, up to a minute.',
      },
      H6: { fault: '400, 404, 405, 407, 410, 413, 415, 422', outcome: 'PART', note: 'Asked once.' },
      H7: {
        fault: 'Connection refused, unknown name, reset before the answer',
        outcome: 'RULE',
        note: 'Tried again: a reset for the whole patience, an address that is probably wrong for a minute. Then PART.',
      },
      H8: {
        fault: 'A reset at every byte of an answer',
        outcome: 'SAME',
        note: 'No part of an answer is ever counted.',
      },
      H9: { fault: 'Content-Length longer or shorter than the body', outcome: 'SAME' },
      H10: { fault: 'A chunked body without its end', outcome: 'SAME' },
      H11: {
        fault: 'An HTTP/1.0 body cut at a line end, which looks whole to HTTP',
        outcome: 'SAME',
        note: 'JSON must be whole, and an export’s archive must have its directory, size and CRC.',
      },
      H12: {
        fault: 'JSON cut at every byte',
        outcome: 'PART',
        note: 'Tried again, then `answer-unreadable`. Never a part of it.',
      },
      H13: { fault: 'A web page with status 200', outcome: 'PART', note: 'Nothing of the page is quoted.' },
      H14: {
        fault: 'JSON under another content type, behind a byte-order mark, in UTF-16, in Latin-1, in broken UTF-8',
        outcome: 'RULE',
        note: 'The content type is ignored and the mark dropped; everything that is no UTF-8 is PART, and never repaired.',
      },
      H15: {
        fault: 'Compressed bodies: damaged, cut, compressed twice, under an unknown encoding',
        outcome: 'SAME',
        note: 'Tried again; PART when it lasts.',
      },
      H16: { fault: 'A decompression bomb', outcome: 'PART', note: 'Bytes are counted after decompression.' },
      H17: { fault: 'An endless body; a header of a megabyte; ten thousand headers', outcome: 'PART' },
      H18: {
        fault: 'Silence before or within the answer; one byte at a time for ever',
        outcome: 'PART',
        note: 'Silence ends by the idle limit, a drip by the limit of a whole answer, which is five times as long.',
      },
      H19: {
        fault: 'TLS: self-signed, expired, another host’s certificate, only TLS 1.1',
        outcome: 'PART',
        note: 'No request is sent. Nothing in the source turns the check off.',
      },
      H20: { fault: 'A platform’s address without TLS', outcome: 'REFUSE', note: 'Allowed on this machine alone.' },
      H21: {
        fault: 'A redirect at the same origin',
        outcome: 'PART',
        note: 'Not followed; the message asks for the final address.',
      },
      H22: { fault: 'A redirect to another origin', outcome: 'PART', note: 'The other server receives no request.' },
      H23: { fault: 'A redirect in a circle, to http, to a file, to the metadata address of a cloud', outcome: 'PART' },
      H24: {
        fault: 'A proxy in the environment; a proxy that asks for a password',
        outcome: 'PART',
        note: '`HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` are obeyed; this machine and a cloud’s credentials are asked directly. A refusal is not tried again; the sentence names the proxy, never its password.',
      },
      H25: { fault: 'The server closes an idle connection just when it is used again', outcome: 'SAME' },
      H26: {
        fault: 'HTTP/2 GOAWAY',
        outcome: 'SAME',
        untested: 'Muster speaks HTTP/1.1 to every server.',
      },
      H27: {
        fault: 'A JSON key twice, with two values',
        outcome: 'RULE',
        note: 'The last one counts, as in every JSON parser of the language. In the settings it is refused.',
      },
      H28: {
        fault: 'Numbers beyond what a number holds',
        outcome: 'RULE',
        note: 'Ids are text; a total that is no safe whole number is unreadable.',
      },
      H29: { fault: 'Keys and values such as `__proto__`, `constructor`, `toString`', outcome: 'SAME' },
      H30: { fault: 'JSON or XML nested 100,000 deep', outcome: 'RULE', note: 'A named error, or the right answer.' },
      H31: {
        fault: 'One field of megabytes, one row of ten thousand columns',
        outcome: 'RULE',
        note: 'Texts are cut at 1,024 characters; an id that long, and a row with more columns than its header, are refused.',
      },
    },
  },
];
