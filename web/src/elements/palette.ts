/** Reads the tokens as the theme has them at the moment, for the canvas. */

/** Gives the resolved colour of a token, asked of the browser once per token. */
export function inkOf(host: HTMLElement): (ink: string) => string {
  const known = new Map<string, string>();
  return (ink) => {
    let colour = known.get(ink);
    if (colour === undefined) {
      colour = resolved(host, ink);
      known.set(ink, colour);
    }
    return colour;
  };
}

function resolved(host: HTMLElement, ink: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(--${ink})`;
  probe.style.display = 'none';
  host.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** Font families of the interface and of code. */
export function familiesOf(host: HTMLElement): { ui: string; mono: string } {
  const style = getComputedStyle(host);
  const of = (name: string) => style.getPropertyValue(name).trim() || 'sans-serif';
  return { ui: of('--ui'), mono: of('--mono') };
}
