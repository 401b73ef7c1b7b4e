/** Draws a place of the page anew without losing the place of whoever works with the keyboard. */

/** Who held a control that the new drawing does not have is put on the element called `otherwise`, if there is one. */
export function redrawer(place: HTMLElement, otherwise: string) {
  return (element: HTMLElement): void => {
    const active = document.activeElement
    const held = place.contains(active) ? active?.id : undefined
    place.removeAttribute('aria-busy')
    place.replaceChildren(element)
    if (held === undefined) return
    const again = document.getElementById(held) ?? document.getElementById(otherwise)
    again?.focus({ preventScroll: true })
  }
}
