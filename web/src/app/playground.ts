/** Entry module of the playground page. */
import { worker } from './early.ts';
import '../styles/tokens.css';
import '../styles/base.css';
import '../elements/sg-playground.ts';
import { SgPlayground } from '../elements/sg-playground.ts';
import { EngineClient } from '../engine/client.ts';
import { startPage } from './page.ts';

const page = document.querySelector('sg-playground');
const engine = new EngineClient(
  worker,
  async () => new (await import('../engine/host.ts')).EngineHost(),
);
if (page instanceof SgPlayground) {
  startPage(page, engine, new URL('scenarios/', document.baseURI)).catch(reportError);
}
