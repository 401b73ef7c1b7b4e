/**
 * Builds the shadow tree of the elements and its style. The CSP of the host page does not apply to a constructed style
 * sheet, or to elements that scripts make. A host page sets colours with custom properties, and the rest with `::part`.
 */

const css = `
:host{display:block;--c:var(--sluice-accent,#bf3617);--i:var(--sluice-accent-text,#fff);--s:var(--sluice-surface,#fffefb);--t:var(--sluice-text,#1d1b18);--m:var(--sluice-muted,#5d5850);--l:var(--sluice-line,#ddd7ca);color:var(--t);font:var(--sluice-font,1rem/1.5 system-ui,sans-serif);color-scheme:light}
@media(prefers-color-scheme:dark){:host{--c:var(--sluice-accent,#ff8a69);--i:var(--sluice-accent-text,#2a0c03);--s:var(--sluice-surface,#1e1c1a);--t:var(--sluice-text,#f4f0e8);--m:var(--sluice-muted,#b1aa9f);--l:var(--sluice-line,#38342f);color-scheme:dark}}
:host([hidden]),[hidden]{display:none!important}
*{box-sizing:border-box;margin:0}
[part=card]{display:grid;gap:.5rem;padding:1.25rem;background:var(--s);border:1px solid var(--l);border-radius:var(--sluice-radius,16px)}
[part=title],[part=price],[part=countdown]{font-weight:600}
[part=title]{font-size:1.15em;overflow-wrap:anywhere}
[part=facts]{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:baseline}
[part=stock],[part=status],[part=label]{color:var(--m)}
[part=clock]{display:flex;gap:.5rem;align-items:baseline}
[part=countdown]{font-variant-numeric:tabular-nums}
[part=button],[part=link]{font:inherit;font-weight:600;min-height:3rem;padding:.75rem 1.25rem;border:0;border-radius:var(--sluice-radius,16px);background:var(--c);color:var(--i);cursor:pointer;text-align:center;text-decoration:none}
[part=button]:hover,[part=link]:hover{filter:brightness(1.08)}
[part=button][aria-disabled=true]{background:var(--l);color:var(--m);cursor:default;filter:none}
[part=link].second{background:none;color:var(--t);min-height:0;padding:.25rem;text-decoration:underline}
:focus-visible{outline:3px solid var(--t);outline-offset:2px}
@media(forced-colors:active){[part=button],[part=link]{border:1px solid}}
:host(sluice-button){color:inherit}
.bare{padding:0;background:none;border:0}
.bare [part=status],.bare .second{color:inherit}`

export type Parts = ReturnType<typeof drawParts>

/**
 * Makes the parts of `host`. A bare element has only the button, its link and the status.
 * @throws in a browser without constructed style sheets (Safari before 16.4); the content of `host` then stays visible
 */
export function drawParts(host: HTMLElement, isBare: boolean) {
  const part = (name: string, tag = 'p', ...inside: Node[]) => {
    const element = document.createElement(tag)
    element.part.add(name)
    element.append(...inside)
    return element
  }
  const slot = document.createElement('slot')
  const [title, price, stock] = [part('title'), part('price', 'span'), part('stock', 'span')]
  const [label, countdown] = [part('label', 'span'), part('countdown', 'span')]
  const [button, status] = [part('button', 'button'), part('status')]
  const link = part('link', 'a') as HTMLAnchorElement
  const [facts, clock] = [part('facts', 'p', price, stock), part('clock', 'p', label, countdown)]
  const card = part('card', 'div', ...(isBare ? [] : [title, facts, clock]), button, link, status)
  card.classList.toggle('bare', isBare)
  title.id = 'title'
  card.setAttribute('role', 'group')
  if (!isBare) card.setAttribute('aria-labelledby', title.id)
  button.setAttribute('type', 'button')
  // The countdown changes each second, so screen readers must not announce it.
  countdown.setAttribute('role', 'timer')
  countdown.setAttribute('aria-live', 'off')
  // The status exists from the start, because screen readers announce only changes.
  status.setAttribute('role', 'status')
  link.target = '_top'
  card.hidden = true
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  const root = host.attachShadow({ mode: 'open' })
  root.append(slot, card)
  root.adoptedStyleSheets.push(sheet)
  return { card, title, facts, price, stock, clock, label, countdown, button, link, status, slot }
}

/** Sets the text only if it differs, so that a live region is announced once. Hides an empty element. */
export function write(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text
  if (element.getAttribute('role') !== 'status') element.hidden = text === ''
}
