/**
 * Defines `<sluice-sale>` and `<sluice-button>` for pages of other sites. Editors that remove unknown tags can write
 * `<div data-sluice-sale>` instead.
 */
import { ButtonElement, SaleElement } from './sale-element.ts'

const names = ['sluice-sale', 'sluice-button']
const placeOf = (name: string) => `data-${name}`

/** Puts an element into each `data-sluice-…` place in `root`. The element keeps the content of the place. */
function fillPlaces(root: ParentNode): void {
  for (const name of names) {
    for (const place of root.querySelectorAll<HTMLElement>(`[${placeOf(name)}]`)) {
      if (place.querySelector(name) !== null) continue
      const element = document.createElement(name)
      element.append(...place.childNodes)
      const { tokenFrom } = place.dataset
      element.setAttribute('sale', place.getAttribute(placeOf(name)) ?? '')
      if (tokenFrom !== undefined) element.setAttribute('token-from', tokenFrom)
      place.append(element)
    }
  }
}

/** Fills the places of the page, and places that scripts and editors add later. */
function watchPlaces(): void {
  fillPlaces(document)
  const watched = { childList: true, subtree: true, attributeFilter: names.map(placeOf) }
  new MutationObserver((changes) => {
    // A place that lost its element is the target itself, hence its parent.
    for (const part of new Set(changes.map(({ target }) => target.parentNode ?? target))) {
      fillPlaces(part as ParentNode)
    }
  }).observe(document, watched)
}

if (customElements.get('sluice-sale') === undefined) {
  customElements.define('sluice-sale', SaleElement)
  customElements.define('sluice-button', ButtonElement)
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', watchPlaces)
  else watchPlaces()
} else {
  // Only the first of two scripts defines the elements. The elements of the second shop learn here that its script has loaded.
  for (const element of document.querySelectorAll<SaleElement>(names.join())) element.connectedCallback()
}
