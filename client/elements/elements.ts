/**
 * The script of a page of another site: `<sluice-sale>`, `<sluice-button>`, and the same in a `<div data-sluice-sale>`
 * for editors that remove unknown tags.
 */
import { ButtonElement, SaleElement } from './sale-element.ts'

const names = ['sluice-sale', 'sluice-button']
const placeOf = (name: string) => `data-${name}`

/** Puts the element into each place in `root` that asks for it; what the place had stays as the element's own content. */
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

/** Fills the places of the page, and those that come later: pages change without a load, and editors draw a part anew. */
function watchPlaces(): void {
  fillPlaces(document)
  const watched = { childList: true, subtree: true, attributeFilter: names.map(placeOf) }
  new MutationObserver((changes) => {
    // A place that lost its element is itself what changed.
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
  // Two scripts on one page define them once. The elements of the second shop learn that its script is here.
  for (const element of document.querySelectorAll<SaleElement>(names.join())) element.connectedCallback()
}
