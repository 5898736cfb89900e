/**
 * The first thing the page does: it starts the engine's worker, which fetches and compiles the engine while the
 * page's own modules are evaluated and the scenario is on its way.
 */

function start(): Worker {
  return new Worker(new URL('../engine/worker.ts', import.meta.url), { type: 'module' });
}

function attempt(): Worker | undefined {
  try {
    const made = start();
    // One that failed before anybody listened is not handed out: the next one's failure is heard.
    made.addEventListener('error', () => {
      first = undefined;
    });
    return made;
  } catch {
    // Where no worker may be started, the client finds out for itself.
    return undefined;
  }
}

let first = attempt();

/** The worker that was started first, or, once that is taken, a new one. */
export function worker(): Worker {
  const taken = first ?? start();
  first = undefined;
  return taken;
}
