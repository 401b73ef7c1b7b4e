/**
 * Demo sales of every kind: open goods; goods that open soon by schedule and require a proof of work; goods that the
 * marketer starts by hand, with two windows and a delivery address; open coupons; red packets that start soon by
 * schedule, in two windows; and those of options.
 */
import { ControlApiError, type ControlClient, controlClient } from '../cli/control-client.ts'
import { joined } from '../core/lib/fold.ts'
import { workbench } from '../options/registry/workbench.ts'
import { words } from '../templates/messages/text.ts'
import type { DemoSale } from './seams.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Returns times of a sale that is open for a day. */
const oneDay = (startsAt: number) => ({ startsAt, endsAt: startsAt + day })

/** Returns two windows of half a day, today and tomorrow. */
const twoHalfDays = (startsAt: number) => ({
  windows: [
    { startsAt, endsAt: startsAt + 12 * hour, stock: 30 },
    { startsAt: startsAt + day, endsAt: startsAt + day + 12 * hour, stock: 20 },
  ],
})

/** Returns a window of ten minutes and, after a break of five, a window for the rest of the day. */
const twoPacketWindows = (startsAt: number) => ({
  windows: [
    { startsAt, endsAt: startsAt + 10 * minute, stock: 88, totalAmount: 88_800 },
    { startsAt: startsAt + 15 * minute, endsAt: startsAt + day, stock: 66, totalAmount: 66_600 },
  ],
})

/** Returns times of a sale that is open for a day, with coupons that are valid for thirty. */
const goodForThirtyDays = (startsAt: number) => ({ ...oneDay(startsAt), coupons: { validUntil: startsAt + 30 * day } })

export const demoSales: readonly DemoSale[] = [
  {
    picture: 'mug',
    title: { en: 'Handmade stoneware mug', 'zh-CN': '手工陶杯' },
    description: {
      en: 'Thrown and glazed by hand, 350 ml. One kiln, one hundred mugs.',
      'zh-CN': '手工拉坯上釉，350 毫升。一窑一百只，仅此一批。',
    },
    isStarted: true,
    startsInMs: -minute,
    times: oneDay,
    sale: {
      kind: 'goods',
      saleId: 'stoneware-mug',
      price: 2400,
      currency: 'EUR',
      stock: 100,
      limitPerShopper: 2,
      maxPerOrder: 2,
    },
  },
  {
    picture: 'lamp',
    title: { en: 'Reading lamp', 'zh-CN': '黄铜阅读灯' },
    description: {
      en: 'Brass and linen, warm dimmable light. First series of twenty.',
      'zh-CN': '黄铜灯座、亚麻灯罩，暖光可调。首批仅 20 盏。',
    },
    isStarted: true,
    startsInMs: 90_000,
    times: oneDay,
    sale: {
      kind: 'goods',
      saleId: 'reading-lamp',
      price: 8900,
      listPrice: 11900,
      currency: 'EUR',
      stock: 20,
      limitPerShopper: 1,
      maxPerOrder: 1,
      challenge: 'pow',
    },
  },
  {
    picture: 'tea',
    title: { en: 'First-flush spring tea', 'zh-CN': '明前春茶' },
    description: {
      en: '50 g of this year’s first leaves, in two rounds, today and tomorrow. Start this one yourself in the console.',
      'zh-CN': '今年头采，50 克装，今明两场。请在运营后台手动开启。',
    },
    isStarted: false,
    startsInMs: 0,
    times: twoHalfDays,
    sale: {
      kind: 'goods',
      saleId: 'spring-tea',
      delivery: { countries: ['CN', 'DE', 'US', 'GB', 'JP'] },
      price: 12800,
      currency: 'CNY',
      limitPerShopper: 3,
      maxPerOrder: 3,
    },
  },
  {
    picture: 'teapot',
    title: { en: 'Free pot of tea', 'zh-CN': '免费茶饮券' },
    description: {
      en: 'A coupon for a pot of tea of your choice at any of our counters, valid for 30 days. Up to two per person.',
      'zh-CN': '可在任一门店兑换一壶茶，30 天内有效，每人限领 2 张。',
    },
    isStarted: true,
    startsInMs: -minute,
    times: goodForThirtyDays,
    sale: { kind: 'coupon', saleId: 'tea-voucher', currency: 'EUR', stock: 200, limitPerShopper: 2, maxPerOrder: 2 },
  },
  {
    picture: 'packet',
    title: { en: 'Red packet rain', 'zh-CN': '红包雨' },
    description: {
      en: 'Two rounds today. Grab one red packet, and the money goes straight to your wallet.',
      'zh-CN': '今日两场，每人可抢 1 个拼手气红包，抢到即存入钱包。',
    },
    isStarted: true,
    startsInMs: minute,
    times: twoPacketWindows,
    sale: {
      kind: 'red-packet',
      saleId: 'red-packet-rain',
      currency: 'CNY',
    },
  },
  ...joined(workbench, 'demoSales'),
]

/**
 * Creates the demo sales, in both languages. Existing sales stay unchanged, except that a sale whose creation was
 * interrupted is warmed and started.
 */
export async function createDemo(site: { url: string; token: string }): Promise<void> {
  const control = controlClient(site)
  for (const demo of demoSales) {
    const startsAt = Date.now() + demo.startsInMs
    await createOnce(control, {
      ...demo.sale,
      title: words(demo.title, 'en'),
      description: words(demo.description, 'en'),
      pictures: [{ src: `/assets/pictures/${demo.picture}.svg`, alt: words(demo.title, 'en') }],
      translations: { 'zh-CN': { title: words(demo.title, 'zh-CN'), description: words(demo.description, 'zh-CN') } },
      ...demo.times(startsAt),
    })
    const { saleId } = demo.sale
    const { phase, sale } = await control.getLive({ saleId })
    if (phase === 'draft') await control.warm({ saleId })
    if (demo.isStarted && phase !== 'ended' && sale.flag === 'off') await control.start({ saleId })
  }
}

async function createOnce(control: ControlClient, definition: Record<string, unknown>): Promise<void> {
  try {
    await control.createSale({ body: definition })
  } catch (failure) {
    if (!(failure instanceof ControlApiError && failure.problem.code === 'conflict')) throw failure
  }
}
