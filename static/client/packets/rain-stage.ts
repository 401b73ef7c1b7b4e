/**
 * The stage where packets fall. They are decoration that can be tapped; the control is the button,
 * so screen readers and keyboards lose nothing. Styles move them, by transforms alone; this file
 * places them and handles the taps.
 */
import type { Money } from '../../../core/money.ts'
import { byId } from '../lib/dom.ts'
import { type Drop, dropCount, fallAgain, scatter } from './falling-packets.ts'
import type { Sky } from './rain-sky.ts'

/** A sky that cleared keeps its packets until they have faded out. */
const fadeMs = 700

type Parts = {
  /** A falling packet, or the open one, was tapped. */
  onTap(): void
  money(packet: Money): string
  random(): number
}

/** The stage of the page, empty until it rains. */
export function rainStage({ onTap, money, random }: Parts) {
  const stage = byId('stage')
  const place = byId('sky')
  const sample = byId('drop', HTMLTemplateElement)
  const caught = byId('caught')
  const amount = byId('caught-amount', HTMLDataElement)
  let sky: Sky = 'clear'
  let fading = 0

  const falls = () => sky !== 'clear' && sky !== 'caught'

  function fill(): void {
    clearTimeout(fading)
    const { clientWidth, clientHeight } = place
    const count = dropCount(clientWidth, clientHeight)
    if (place.childElementCount === count) return
    const drops = scatter(count, clientWidth / Math.max(1, clientHeight), random)
    place.replaceChildren(...drops.map((drop) => newDrop(sample, drop)))
  }

  function empty(): void {
    clearTimeout(fading)
    fading = window.setTimeout(() => place.replaceChildren(), fadeMs)
  }

  place.addEventListener('animationiteration', ({ target, animationName }) => {
    if (animationName === 'fall' && target instanceof HTMLElement) put(target, fallAgain(random))
  })
  // Not `click`: the packet would have moved on from under the finger until then.
  place.addEventListener('pointerdown', (event) => {
    const drop = event.target instanceof Element ? event.target.closest('.drop') : null
    if (drop === null || sky !== 'raining' || !event.isPrimary || event.button !== 0) return
    drop.setAttribute('data-tapped', '')
    onTap()
    if (sky === 'raining') drop.removeAttribute('data-tapped')
  })
  caught.addEventListener('click', onTap)
  // A press on what cannot be focused would take the focus from the button.
  for (const part of [place, caught]) part.addEventListener('mousedown', (event) => event.preventDefault())
  new ResizeObserver(() => falls() && fill()).observe(place)
  const rest = () => stage.toggleAttribute('data-unseen', document.hidden)
  document.addEventListener('visibilitychange', rest)
  rest()

  return {
    /** To be called as often as the page is drawn. */
    draw(next: Sky): void {
      if (next === sky) return
      const fell = falls()
      sky = next
      stage.dataset.sky = next
      if (next !== 'held') place.querySelector('[data-tapped]')?.removeAttribute('data-tapped')
      if (falls()) fill()
      else if (fell) empty()
    },
    /** Shows the shopper's own packet open; `known` when it is no news, and opens without ado. */
    open(packet: Money, known: boolean): void {
      amount.value = String(packet.amount)
      amount.dataset.currency = packet.currency
      amount.textContent = money(packet)
      caught.style.setProperty('--letters', String(amount.textContent.length))
      caught.toggleAttribute('data-known', known)
      caught.hidden = false
    },
  }
}

function newDrop(sample: HTMLTemplateElement, drop: Drop): Node {
  const copy = sample.content.cloneNode(true)
  const element = copy.firstChild
  if (element instanceof HTMLElement) put(element, drop)
  return copy
}

/** As custom properties: the policy of the site lets no style be written into the page's text. */
function put(element: HTMLElement, drop: Partial<Drop>): void {
  for (const [name, value] of Object.entries(drop)) element.style.setProperty(`--${name}`, String(value))
}
