/**
 * The stage where packets fall. They are decoration that can be tapped; the control is the button, so screen readers
 * and keyboards lose nothing. Styles move them, by transforms alone; this file places them and handles the taps.
 */
import type { Money } from '../../core/money.ts'
import type { Phase } from '../../core/sale/phase.ts'
import { byId } from '../../web/dom.ts'
import type { ButtonState } from '../buy/button.ts'

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

/**
 * Where packets fall, or lie still for those who want no motion. Pure: the stage animates what is laid out here.
 * Their number is bounded, and all that moves is a transform, so that a cheap phone keeps up. `x` and `y` are shares
 * of the stage, of the packet's centre; `y` counts where nothing moves. `size` is 1 for the nearest. It tilts from
 * `-tilt` to `tilt` degrees while it falls. From the top to the bottom it takes `seconds`, of which `ahead` lie behind
 * it when it appears: a sky that opens is full at once, and as even as one that stands still.
 */
type Drop = { x: number; y: number; size: number; tilt: number; seconds: number; ahead: number }

const fewest = 6
const most = 18

/** The area for each packet, in square pixels. */
const areaEach = 15_000

/** Far ones are smaller and take longer, which makes a sky deep. */
const nearest = { size: 1, seconds: 5.2 }
const depths = [nearest, { size: 0.82, seconds: 6.6 }, { size: 0.66, seconds: 8.4 }]

/** No packet's centre is nearer to a side, as a share of the width. */
const edge = 0.08

/** A packet keeps this share of its cell free, so that none covers another where they lie still. */
const margin = 0.3

/** How many packets a stage of that size, in pixels, holds at once. */
export function dropCount(width: number, height: number): number {
  return Math.min(most, Math.max(fewest, Math.round((width * height) / areaEach)))
}

/** `count` packets over a stage, one in each cell of a grid. `aspect` is its width over its height. */
export function scatter(count: number, aspect: number, random: () => number): Drop[] {
  const columns = Math.max(1, Math.min(count, Math.round(Math.sqrt(count * aspect))))
  const rows = Math.ceil(count / columns)
  return Array.from({ length: count }, (_, i) => {
    const row = Math.floor(i / columns)
    const inRow = row === rows - 1 ? count - columns * (rows - 1) : columns
    // Shifted by the row: else every column would have packets of one size.
    const { size, seconds } = depths[(i + row) % depths.length] ?? nearest
    const x = within(i % columns, inRow, random())
    const y = within(row, rows, random())
    return { x, y, size, seconds, ahead: y * seconds, tilt: tiltOf(random()) }
  })
}

/** Where a packet that reached the bottom falls next. */
export function fallAgain(random: () => number): Pick<Drop, 'x' | 'tilt'> {
  return { x: edge + random() * (1 - 2 * edge), tilt: tiltOf(random()) }
}

function tiltOf(random: number): number {
  return 8 + random * 20
}

function within(cell: number, cells: number, random: number): number {
  return (cell + margin + random * (1 - 2 * margin)) / cells
}

/**
 * What is seen in the sky over the button, from what the page knows. `clear`: nothing falls. `raining`: packets
 * fall and can be tapped. `resting`: they fall, and a tap has to wait. `held`: they stand still while one is being
 * caught. `caught`: the shopper's own packet is open.
 */
type Sky = 'clear' | 'raining' | 'resting' | 'held' | 'caught'

type SkyFacts = { phase: Phase | undefined; button: ButtonState; caught: boolean }

export function skyOf({ phase, button, caught }: SkyFacts): Sky {
  if (caught) return 'caught'
  if (phase !== 'open') return 'clear'
  if (button.kind === 'sending') return 'held'
  return button.lit ? 'raining' : 'resting'
}
