/** A sale of red packets and its page, for the files that test it in a browser. */
import type { Page } from '@playwright/test'
import { openSale, type Shop } from '../journey/support.ts'

/** The money in all packets of the sale, in minor units. */
export const totalAmount = 5000

/** Fields that only goods have. */
const notSaid = { price: undefined, stock: undefined, limitPerShopper: undefined, maxPerOrder: undefined }

export async function openRain(shop: Shop, count: number, change: Record<string, unknown> = {}): Promise<string> {
  const { saleId } = await openSale(shop, {
    ...notSaid,
    kind: 'red-packet',
    title: 'Spring festival packets',
    description: 'One for each shopper, straight into the wallet.',
    pictures: [{ src: '/assets/pictures/packet.svg', alt: 'The product' }],
    packets: { count, totalAmount },
    ...change,
  })
  return saleId
}

/** Resolves once packets fall. */
export const raining = (page: Page) => page.locator('#stage[data-sky=raining]').waitFor({ timeout: 120_000 })

/** Resolves once the status line says so. */
export const waitForStatus = (page: Page, hasText: string | RegExp) => page.locator('#status', { hasText }).waitFor()

/** Presses the pointer on a packet in the middle of the stage, wherever it is by then. */
export async function tapPacket(page: Page): Promise<void> {
  // On a busy machine a packet would fall on between the look and the tap.
  const spot = await page.locator('#sky').evaluate((sky) => {
    for (const fall of sky.getAnimations({ subtree: true })) fall.pause()
    const frame = sky.getBoundingClientRect()
    const middles = [...sky.querySelectorAll('.drop')].map((drop) => {
      const { x, y, width, height } = drop.getBoundingClientRect()
      return { x: x + width / 2, y: y + height / 2 }
    })
    const shown = middles.filter(({ y }) => y > frame.y + 40 && y < frame.bottom - 80)
    return shown[0]
  })
  if (spot === undefined) throw new Error('no packet is where a finger could reach it')
  await page.mouse.click(spot.x, spot.y)
  await page.locator('#sky').evaluate((sky) => {
    for (const fall of sky.getAnimations({ subtree: true })) fall.play()
  })
}
