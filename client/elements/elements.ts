/**
 * The script of a page of another site: `<sluice-sale>`, `<sluice-button>`, and the same in a `<div data-sluice-sale>`
 * for editors that remove unknown tags.
 */
import { ButtonElement, SaleElement, setShop } from './sale-element.ts'

/** Where the script came from is the shop. A module has no `currentScript`. */
const script =
  document.currentScript ?? document.querySelector('script[src$="/elements.js"],script[src*="/assets/elements."]')
setShop(new URL((script as HTMLScriptElement | null)?.src ?? location.href).origin)

const elements = { 'sluice-sale': SaleElement, 'sluice-button': ButtonElement }

// Two scripts on one page define them once.
for (const [name, element] of Object.entries(elements)) {
  if (customElements.get(name) === undefined) customElements.define(name, element)
}

/** Puts the element into each place that asks for it; what the place had stays as the element's own content. */
function fillPlaces(): void {
  for (const name of Object.keys(elements)) {
    for (const place of document.querySelectorAll(`[data-${name}]`)) {
      if (place.querySelector(name) !== null) continue
      const element = document.createElement(name)
      element.append(...place.childNodes)
      for (const [attribute, value] of [
        ['sale', place.getAttribute(`data-${name}`)],
        ['token-from', place.getAttribute('data-token-from')],
      ] as const) {
        if (value !== null) element.setAttribute(attribute, value)
      }
      place.append(element)
    }
  }
}

if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', fillPlaces)
else fillPlaces()
