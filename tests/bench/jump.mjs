/** Jumps to any position of a replay of 10,000 events, with the model that the playground draws from. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpuUsage } from 'node:process';
import { runnerImport } from 'vite';
import { percentile } from './clock.mjs';
import { freshEngine } from './engine.mjs';

const JUMPS = 400;
const WARM_UP = 100;

/** Opens the generated scenario, records it whole and jumps around in it, both queries at each jump. */
export async function measureJumps(root) {
  const load = async (path) => (await runnerImport(join(root, path), { root })).module;
  const { scenarioOf } = await load('web/src/app/scenario_files.ts');
  const { Recording } = await load('web/src/model/recording.ts');
  const { viewAt } = await load('web/src/model/view.ts');
  const scenario = JSON.parse(readFileSync(join(root, 'static/scenarios/generated.json'), 'utf8'));
  const { engine } = await freshEngine(root);
  const recording = new Recording(engine.open(1, JSON.stringify(scenarioOf(scenario).workspace)));
  const recorded = cpuUsage();
  for (let done = false; !done; ) {
    const advanced = engine.advance(1, 256);
    recording.ingest(advanced.frames);
    done = advanced.done;
  }
  recording.finish();
  const recordedMs = cpuUsage(recorded).user / 1000;
  const rows = recording.slots;
  const jumps = [];
  for (let jump = 0; jump < JUMPS; jump++) {
    // A walk over the golden ratio reaches every part of the replay, and never the next step.
    const step = Math.floor(((jump * 0.618_033_988_75) % 1) * rows);
    const before = cpuUsage();
    const view = viewAt(recording, step + 0.95);
    for (const query of recording.queries) {
      query.stateAt(view.settledStep);
      query.resultAt(view.shownStep);
    }
    const { user, system } = cpuUsage(before);
    if (jump >= WARM_UP) jumps.push((user + system) / 1000);
  }
  const line = (figure, value) => ({ figure, who: 'page', value, unit: 'ms' });
  return [
    line('jump, median', percentile(jumps, 0.5)),
    line('jump, 95th percentile', percentile(jumps, 0.95)),
    line('jump, longest', Math.max(...jumps)),
    line(`replaying and recording ${rows} events`, recordedMs),
  ];
}
