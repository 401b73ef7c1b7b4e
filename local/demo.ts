/**
 * Sales of every kind to look at: goods that are open, goods that open by themselves soon and ask browsers for a proof of
 * work, goods that wait for the marketer's flip and come in two windows, coupons that are open, and a rain of red packets that
 * soon begins by itself and comes in two waves.
 */
import { type ControlClient, controlClient, Refused } from '../cli/control-client.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Open for a day. */
const oneDay = (startsAt: number) => ({ startsAt, endsAt: startsAt + day })

/** Open for half a day today and half a day tomorrow. */
const twoHalfDays = (startsAt: number) => ({
  windows: [
    { startsAt, endsAt: startsAt + 12 * hour, stock: 30 },
    { startsAt: startsAt + day, endsAt: startsAt + day + 12 * hour, stock: 20 },
  ],
})

/** Ten minutes of rain, a break of five, and another rain for the rest of the day. */
const twoWaves = (startsAt: number) => ({
  windows: [
    { startsAt, endsAt: startsAt + 10 * minute, stock: 88, totalAmount: 88_800 },
    { startsAt: startsAt + 15 * minute, endsAt: startsAt + day, stock: 66, totalAmount: 66_600 },
  ],
})

/** Open for a day; what was handed out is good for thirty. */
const goodForThirtyDays = (startsAt: number) => ({
  ...oneDay(startsAt),
  coupons: { validUntil: startsAt + 30 * day },
})

const demoSales = [
  {
    picture: 'mug',
    flip: true,
    startsInMs: -minute,
    times: oneDay,
    sale: {
      kind: 'goods',
      saleId: 'stoneware-mug',
      title: 'Stoneware mug',
      description:
        'Thrown and glazed by hand, 350 ml. The kiln holds a hundred, so a hundred is what there is.',
      price: 2400,
      currency: 'EUR',
      stock: 100,
      limitPerShopper: 2,
      maxPerOrder: 2,
    },
  },
  {
    picture: 'lamp',
    flip: true,
    startsInMs: 90_000,
    times: oneDay,
    sale: {
      kind: 'goods',
      saleId: 'reading-lamp',
      title: 'Reading lamp',
      description: 'Brass, linen, and a warm dimmable light. Twenty from the first series.',
      price: 8900,
      currency: 'EUR',
      stock: 20,
      limitPerShopper: 1,
      maxPerOrder: 1,
      challenge: 'pow',
    },
  },
  {
    picture: 'tea',
    flip: false,
    startsInMs: 0,
    times: twoHalfDays,
    sale: {
      kind: 'goods',
      saleId: 'spring-tea',
      title: 'Spring tea, first picking',
      description:
        'Fifty grams of this year’s first leaves, some today and some tomorrow. The marketer opens this one by hand.',
      price: 12800,
      currency: 'CNY',
      limitPerShopper: 3,
      maxPerOrder: 3,
    },
  },
  {
    picture: 'teapot',
    flip: true,
    startsInMs: -minute,
    times: goodForThirtyDays,
    sale: {
      kind: 'coupon',
      saleId: 'tea-voucher',
      title: 'A pot of tea on the house',
      description:
        'A voucher for a pot of tea of your choice, at any of our counters within thirty days. Two each.',
      currency: 'EUR',
      stock: 200,
      limitPerShopper: 2,
      maxPerOrder: 2,
    },
  },
  {
    picture: 'packet',
    flip: true,
    startsInMs: minute,
    times: twoWaves,
    sale: {
      kind: 'red-packet',
      saleId: 'red-packet-rain',
      title: 'Red-packet rain',
      description:
        'Money falls from the sky, twice today. Catch one packet; what is in it goes straight to your wallet.',
      currency: 'CNY',
    },
  },
]

/** Creates the demo sales. Those that are there already (kept data) are left as they are. */
export async function createDemo(site: { url: string; token: string }): Promise<void> {
  const control = controlClient(site)
  for (const demo of demoSales) {
    const startsAt = Date.now() + demo.startsInMs
    const created = await createOnce(control, {
      ...demo.sale,
      image: `/assets/pictures/${demo.picture}.svg`,
      ...demo.times(startsAt),
    })
    if (!created) continue
    await control.warm(demo.sale.saleId)
    if (demo.flip) await control.start(demo.sale.saleId, { now: false })
  }
}

async function createOnce(control: ControlClient, definition: Record<string, unknown>): Promise<boolean> {
  try {
    await control.create(definition)
    return true
  } catch (failure) {
    if (failure instanceof Refused && failure.problem.code === 'conflict') return false
    throw failure
  }
}
