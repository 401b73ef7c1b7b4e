/** Redraws a part of the page and keeps the keyboard focus. */

/**
 * Who held a control that the new drawing does not have is put on the element called `otherwise`, if there is one. A
 * drawing during a press waits for its end: a control that is replaced between press and release is never clicked.
 */
export function redrawer(place: HTMLElement, otherwise: string) {
  let isPressed = false
  let waiting: HTMLElement | undefined

  function show(element: HTMLElement): void {
    waiting = isPressed ? element : undefined
    if (isPressed) return
    const held = heldIn(place)
    place.removeAttribute('aria-busy')
    place.replaceChildren(element)
    focusAgain(place, held, `#${otherwise}`)
  }

  function release(): void {
    isPressed = false
    // The click follows the release, and may draw.
    setTimeout(() => waiting !== undefined && show(waiting))
  }

  place.addEventListener('pointerdown', () => {
    isPressed = true
  })
  // A menu takes the release for itself.
  for (const end of ['pointerup', 'pointercancel', 'contextmenu', 'blur']) addEventListener(end, release)
  return show
}

/**
 * Makes `nodes` the content of `place` and touches only what differs: a child equal to one of `nodes` stays as it is,
 * with the focus, a selection and its listeners. So listeners must read present values, not those of their drawing.
 */
export function redraw(place: Element, ...nodes: readonly Node[]): void {
  const held = heldIn(place)
  const unused = [...place.childNodes]
  const content = nodes.map((node) => {
    const equal = unused.findIndex((child) => child.isEqualNode(node))
    return equal === -1 ? node : (unused.splice(equal, 1)[0] ?? node)
  })
  for (const child of unused) child.remove()
  for (const [i, node] of content.entries()) {
    const present = place.childNodes[i]
    if (present !== node) place.insertBefore(node, present ?? null)
  }
  focusAgain(place, held)
}

/** What a control is found by after a redraw: its id, what it does, or where it leads. */
const names = ['id', 'data-action', 'href']

/** The focused element of `place`, and a selector for its successor. */
type Held = { element: Element; selector: string | undefined }

function heldIn(place: Element): Held | undefined {
  const element = document.activeElement
  if (element === null || element === place || !place.contains(element)) return undefined
  const name = names.find((attribute) => element.getAttribute(attribute))
  const value = name === undefined ? '' : CSS.escape(element.getAttribute(name) ?? '')
  return { element, selector: name === undefined ? undefined : `[${name}="${value}"]` }
}

function focusAgain(place: Element, held: Held | undefined, otherwise?: string): void {
  if (held === undefined || document.activeElement === held.element) return
  const find = (selector: string | undefined) =>
    selector === undefined ? null : place.querySelector<HTMLElement>(selector)
  const again = find(held.selector) ?? find(otherwise)
  again?.focus({ preventScroll: true })
}
