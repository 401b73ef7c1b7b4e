/** Draws the QR code of a coupon for tills. The orders page loads it once it shows a code. */
import { encode } from 'uqr'
import type { CouponCode } from '../core/orders/coupon.ts'

const svg = 'http://www.w3.org/2000/svg'

/** The white border that scanners need, in modules (ISO/IEC 18004). */
const quietZone = 4

/**
 * Draws the code black on white, also in dark mode. `name` is its accessible name. Leaves out the hyphens, which gives the
 * smallest QR code.
 */
export function drawQrCode(code: CouponCode, name: string): SVGElement {
  const { data, size } = encode(code, { ecc: 'M', border: quietZone })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  const box = `0 0 ${size} ${size}`
  const picture = element('svg', { viewBox: box, role: 'img', 'aria-label': name })
  // Without it, antialiasing shows lines between the modules.
  picture.setAttribute('shape-rendering', 'crispEdges')
  picture.append(
    element('rect', { width: String(size), height: String(size), fill: '#fff' }),
    element('path', { d: dark.join(''), fill: '#000' }),
  )
  return picture
}

function element(tag: 'svg' | 'rect' | 'path', attributes: Readonly<Record<string, string>>): SVGElement {
  const made = document.createElementNS(svg, tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  return made
}
