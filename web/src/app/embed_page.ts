/** Entry module of the page that shows `<stream-glass>` in an article. */
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/article.css';
import './embed.ts';

const root = document.documentElement;
const query = new URLSearchParams(location.search);
const asked = query.get('theme');
if (asked === 'light' || asked === 'dark') root.dataset['theme'] = asked;
document.querySelector('#theme')?.addEventListener('click', () => {
  const set = root.dataset['theme'];
  const dark =
    set === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : set === 'dark';
  root.dataset['theme'] = dark ? 'light' : 'dark';
});
