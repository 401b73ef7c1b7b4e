/** The QR code of a coupon, for the scanner of a till. The page of orders loads it once it shows a code. */
import { encode } from 'uqr'
import type { CouponCode } from '../core/orders/coupon.ts'

const svg = 'http://www.w3.org/2000/svg'

/** A scanner needs so much white around the code, in modules (ISO/IEC 18004). */
const quietZone = 4

/**
 * A picture that scales, black on white also in the dark: `name` is what it is called by those who do not see it. It says
 * the code without hyphens, which has the smallest size of a QR code.
 */
export function drawQrCode(code: CouponCode, name: string): SVGElement {
  const { data, size } = encode(code, { ecc: 'M', border: quietZone })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  const box = `0 0 ${size} ${size}`
  const picture = element('svg', { viewBox: box, role: 'img', 'aria-label': name })
  // Without the option, lines of the background show between the modules.
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
