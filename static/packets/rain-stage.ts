/**
 * Runs the stage of falling packets. They are decoration that can be tapped; the button does the same for screen readers
 * and keyboards. CSS transforms move them; this module places them and handles the taps.
 */
import type { Money } from '../../core/money.ts'
import type { Phase } from '../../core/sale/phase.ts'
import { byId } from '../../web/dom.ts'
import type { ButtonState } from '../buy/button.ts'

/** Packets stay in the page until they have faded out, ms. */
const fadeMs = 700

type Parts = {
  /** A falling packet, or the open one, was tapped. */
  onTap(): void
  money(packet: Money): string
  random(): number
}

/** Creates the stage, which is empty until the sale opens. */
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
  // Not `click`: until then the packet would have moved away from the finger.
  place.addEventListener('pointerdown', (event) => {
    const drop = event.target instanceof Element ? event.target.closest('.drop') : null
    if (drop === null || sky !== 'raining' || !event.isPrimary || event.button !== 0) return
    drop.setAttribute('data-tapped', '')
    onTap()
    if (sky === 'raining') drop.removeAttribute('data-tapped')
  })
  caught.addEventListener('click', onTap)
  // Without it, a press on the stage takes the focus from the button.
  for (const part of [place, caught]) part.addEventListener('mousedown', (event) => event.preventDefault())
  new ResizeObserver(() => falls() && fill()).observe(place)
  const rest = () => stage.toggleAttribute('data-unseen', document.hidden)
  document.addEventListener('visibilitychange', rest)
  rest()

  return {
    /** Call it on each draw of the page. */
    draw(next: Sky): void {
      if (next === sky) return
      const fell = falls()
      sky = next
      stage.dataset.sky = next
      if (next !== 'held') place.querySelector('[data-tapped]')?.removeAttribute('data-tapped')
      if (falls()) fill()
      else if (fell) empty()
    },
    /** Shows the shopper's open packet; without an animation if it is `known`. */
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

/** Sets custom properties, because the CSP forbids style attributes in HTML. */
function put(element: HTMLElement, drop: Partial<Drop>): void {
  for (const [name, value] of Object.entries(drop)) element.style.setProperty(`--${name}`, String(value))
}

/**
 * The position of a packet. `x` and `y` are the centre as shares of the stage; `y` applies with reduced motion. `size` is 1
 * for the nearest. It tilts between `-tilt` and `tilt` degrees. It falls for `seconds`, and starts `ahead` seconds into the
 * fall, so that the sky is full at once.
 */
type Drop = { x: number; y: number; size: number; tilt: number; seconds: number; ahead: number }

const minDrops = 6
const maxDrops = 18

/** The area for each packet, in square pixels. */
const areaEach = 15_000

/** Distant packets are smaller and slower. */
const nearest = { size: 1, seconds: 5.2 }
const depths = [nearest, { size: 0.82, seconds: 6.6 }, { size: 0.66, seconds: 8.4 }]

/** The smallest distance of a packet's centre from a side, as a share of the width. */
const edge = 0.08

/** The free share of a packet's cell, so that packets without motion do not overlap. */
const margin = 0.3

/** Returns the number of packets for a stage of that size, in pixels. */
export function dropCount(width: number, height: number): number {
  return Math.min(maxDrops, Math.max(minDrops, Math.round((width * height) / areaEach)))
}

/** Places `count` packets on a grid, one in each cell. `aspect` is the width divided by the height. */
export function scatter(count: number, aspect: number, random: () => number): Drop[] {
  const columns = Math.max(1, Math.min(count, Math.round(Math.sqrt(count * aspect))))
  const rows = Math.ceil(count / columns)
  return Array.from({ length: count }, (_, i) => {
    const row = Math.floor(i / columns)
    const inRow = row === rows - 1 ? count - columns * (rows - 1) : columns
    // Shifted by row, or each column would have one size.
    const { size, seconds } = depths[(i + row) % depths.length] ?? nearest
    const x = within(i % columns, inRow, random())
    const y = within(row, rows, random())
    return { x, y, size, seconds, ahead: y * seconds, tilt: tiltOf(random()) }
  })
}

/** Returns the next position of a packet that reached the bottom. */
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
 * The state of the sky. `clear`: nothing falls. `raining`: packets fall and can be tapped. `resting`: they fall and cannot
 * be tapped. `held`: they stand still during a claim. `caught`: the shopper's packet is open.
 */
type Sky = 'clear' | 'raining' | 'resting' | 'held' | 'caught'

type SkyFacts = { phase: Phase | undefined; button: ButtonState; caught: boolean }

export function skyOf({ phase, button, caught }: SkyFacts): Sky {
  if (caught) return 'caught'
  if (phase !== 'open') return 'clear'
  if (button.kind === 'sending') return 'held'
  return button.isEnabled ? 'raining' : 'resting'
}
