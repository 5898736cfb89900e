/**
 * The engine's module is one file with two modules in it: a first, whose length stands in its first section, and behind it
 * the rest (`crate/xtask/bindings/src/split.rs`). The first is compiled while the rest still arrives.
 */

/** The parts of a module that is on its way. */
export interface Parts {
  readonly first: Promise<WebAssembly.Module>;
  /** The other module; nothing where the file is not cut. It fails with the download. */
  readonly rest: Promise<BufferSource | undefined>;
}

/** The section that begins a file in two parts: `first`, its length in five bytes. */
const MARK = [0, 0x8a, 0x80, 0x80, 0x80, 0, 5, 0x66, 0x69, 0x72, 0x73, 0x74];
/** The magic number and the version come before it. */
const MARK_AT = 8;
const LENGTH_AT = MARK_AT + MARK.length;
/** The header of the section of the rest: its kind, its length, its name. */
const REST_HEADER = 11;

/** Reads a module; the answer need not have the type of one. */
export function cut(answer: Response): Parts {
  const reader = answer.body?.getReader();
  if (reader === undefined) throw new Error('a module without a body');
  const tail: Uint8Array<ArrayBuffer>[] = [];
  /** Bytes of the first part that have not arrived. */
  let left: number | undefined;
  let ended: (whole: boolean) => void;
  let failed: (cause: unknown) => void;
  const all = new Promise<boolean>((resolve, reject) => {
    ended = resolve;
    failed = reject;
  });
  const drain = async () => {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return ended(false);
      tail.push(value);
    }
  };
  const arriving = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      try {
        const { value, done } = await reader.read();
        if (done) {
          controller.close();
          return ended(true);
        }
        left ??= lengthOfFirst(value);
        controller.enqueue(value.length > left ? value.subarray(0, left) : value);
        if (value.length >= left) {
          controller.close();
          tail.push(value.subarray(left));
          drain().catch(failed);
        } else left -= value.length;
      } catch (cause) {
        failed(cause);
        throw cause;
      }
    },
  });
  const headers = { 'content-type': 'application/wasm' };
  const first = WebAssembly.compileStreaming(new Response(arriving, { headers }));
  const rest = all.then(async (whole) => {
    if (whole) return WebAssembly.Module.customSections(await first, 'rest')[0];
    return new Uint8Array(await new Blob(tail).arrayBuffer(), REST_HEADER);
  });
  // Whoever asks for it hears of its failure.
  rest.catch(() => undefined);
  return { first, rest };
}

/** The length of the first part, from the first bytes that arrive; of a file that is not cut, no limit. */
function lengthOfFirst(head: Uint8Array): number {
  if (head.length < LENGTH_AT + 4) return Number.POSITIVE_INFINITY;
  const isCut = MARK.every((byte, at) => head[MARK_AT + at] === byte);
  if (!isCut) return Number.POSITIVE_INFINITY;
  return new DataView(head.buffer, head.byteOffset).getUint32(LENGTH_AT, true);
}
