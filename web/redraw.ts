/** Redraws a part of the page and keeps the keyboard focus. */

/**
 * Returns a function that replaces the content of `place`. If the focused control is gone, the focus moves to the element
 * with the id `otherwise`. Waits for the end of a press: browsers click no control that was replaced during it.
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
    // The click comes after the release, and may itself redraw.
    setTimeout(() => waiting !== undefined && show(waiting))
  }

  place.addEventListener('pointerdown', () => {
    isPressed = true
  })
  // A context menu swallows the release.
  for (const end of ['pointerup', 'pointercancel', 'contextmenu', 'blur']) addEventListener(end, release)
  return show
}

/**
 * Makes `nodes` the content of `place`. A child equal to one of `nodes` stays, with its focus, selection and listeners, so
 * listeners must read current values instead of the values of their drawing.
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

/** The attributes that identify a control after a redraw, in order of preference. */
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
