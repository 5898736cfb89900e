/**
 * Links that carry a whole workspace: a version byte and deflated JSON, as base64url in the fragment.
 * The decoder of every version is kept for ever.
 */
import type { Workspace } from '../engine/api.ts';

/** What a link carries. A workspace stands in it only if it is not the scenario's. */
export interface Shared {
  readonly scenario: string;
  readonly workspace?: Workspace;
  readonly p?: number;
  readonly tab?: 'why' | 'state' | 'plan' | 'sinks';
  readonly lane?: number;
  readonly language?: 'en' | 'zh';
}

const VERSION = 1;
/** Larger texts are no link that somebody made. */
const MOST_BYTES = 8_000_000;

/** A link cannot be read. */
export class LinkError extends Error {
  override readonly name = 'LinkError';
}

/** Text of a link's fragment, without the `#`. */
export async function encodeLink(shared: Shared): Promise<string> {
  const json = new TextEncoder().encode(JSON.stringify(shared));
  const packed = await through(json, new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(packed.length + 1);
  bytes[0] = VERSION;
  bytes.set(packed, 1);
  return base64url(bytes);
}

/** What a fragment carries. */
export async function decodeLink(fragment: string): Promise<Shared> {
  const bytes = fromBase64url(fragment);
  const version = bytes[0];
  if (version !== VERSION) throw new LinkError(`links of version ${version} are not known`);
  let json: string;
  try {
    const plain = await through(bytes.subarray(1), new DecompressionStream('deflate-raw'));
    json = new TextDecoder('utf-8', { fatal: true }).decode(plain);
  } catch (cause) {
    if (cause instanceof LinkError) throw cause;
    throw new LinkError('the link is damaged', { cause });
  }
  return sharedFrom(parsed(json));
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new LinkError('the link is damaged', { cause });
  }
}

function sharedFrom(given: unknown): Shared {
  if (!isRecord(given) || typeof given['scenario'] !== 'string') {
    throw new LinkError('the link names no scenario');
  }
  const { workspace, p, tab, lane, language } = given;
  return {
    scenario: given['scenario'],
    ...(isWorkspace(workspace) ? { workspace } : {}),
    ...(typeof p === 'number' && Number.isFinite(p) ? { p } : {}),
    ...(tab === 'why' || tab === 'state' || tab === 'plan' || tab === 'sinks' ? { tab } : {}),
    ...(lane === 0 || lane === 1 ? { lane } : {}),
    ...(language === 'en' || language === 'zh' ? { language } : {}),
  };
}

function isRecord(given: unknown): given is Record<string, unknown> {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

function isWorkspace(given: unknown): given is Workspace {
  if (!isRecord(given)) return false;
  const { script, queries, sources, events, start, end, settings, controls } = given;
  const queriesFit =
    Array.isArray(queries) &&
    queries.every((query) => isRecord(query) && typeof query['sql'] === 'string');
  const eventsFit =
    Array.isArray(events) &&
    events.every(
      (event) =>
        isRecord(event) && typeof event['at'] === 'number' && typeof event['table'] === 'string',
    );
  return (
    typeof script === 'string' &&
    queriesFit &&
    eventsFit &&
    Array.isArray(sources) &&
    Array.isArray(controls) &&
    typeof start === 'string' &&
    (end === 'open' || end === 'flush') &&
    isRecord(settings)
  );
}

async function through(
  bytes: Uint8Array,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const source = new Blob([bytes.slice().buffer]).stream().pipeThrough(stream);
  const reader = source.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > MOST_BYTES) throw new LinkError('the link is too large');
    parts.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function base64url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64url(text: string): Uint8Array {
  let binary: string;
  try {
    binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch (cause) {
    throw new LinkError('the link is damaged', { cause });
  }
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}
