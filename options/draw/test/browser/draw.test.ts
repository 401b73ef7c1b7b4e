/** A reader checks draws in a real browser: a true one, tampered ones, and whether the own receipt is in the list. */
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { clockHeader } from '../../../../core/gate/cors.ts'
import { openRandom } from '../../../../proof/simulation/engine/random.ts'
import { words } from '../../../../templates/messages/text.ts'
import { complaintsOf, desktop, phone } from '../../../../test/browser/browser.ts'
import { openShop } from '../../../../test/browser/shop.ts'
import { overflows, says } from '../../../../test/browser/shopper.ts'
import {
  expectAccessible,
  expectNoComplaints,
  faultsOf,
  newVisitor,
  picture,
} from '../../../../test/browser/visitor.ts'
import { createSale, eventually } from '../../../../test/journey/support.ts'
import { checkDraw, drawFaults } from '../../core/check-draw.ts'
import { earliestDrawStart } from '../../core/fields.ts'
import { idOf } from '../../core/list.ts'
import { drawFaultMessages } from '../../static/messages/catalogues.ts'
import { type DrawFiles, randomDraw, sourceOf, verifyTestRound as verifyRound } from '../core/published-draw.ts'
import { tamperings } from '../core/tampering.ts'

const { stack, browser, shopper } = await openShop()

/** The narrowest phone, on which the long words of French need two lines. */
const narrow = { ...phone, viewport: { width: 320, height: 640 } }

const drawn = [
  { id: 'v1', units: 5 },
  { id: 'v2', units: 4 },
]
const draw = randomDraw(openRandom(5), 30, { variants: drawn })
const [entry = 0] = draw.queues[0] ?? []
const receiptOf = (number: number) => {
  const id = bytesToHex(idOf(draw.list, number))
  const payload = (line: string) => String(Buffer.from(line.split('.')[1] ?? '', 'base64url'))
  return draw.kept.receipts.find((line) => payload(line).includes(id)) ?? ''
}
const { sale } = draw.plan.rules

/** A page at the draw whose files are these; a test may replace them. */
async function reader(files: DrawFiles, screen = phone, locale = 'en-GB') {
  const page = await newVisitor(browser, screen, { locale })
  expectNoComplaints(page)
  const published = { files }
  await page.route(`${stack.url}/sales/*/draw/**`, (route) => {
    const path = new URL(route.request().url()).pathname.replace(/^\/sales\/[^/]+\/draw\//, '')
    const content = published.files.get(path)
    return route.fulfill(content === undefined ? { status: 404 } : { body: Buffer.from(content) })
  })
  return { page, published }
}

const check = (page: Page) => page.goto(`${stack.url}/draw/?sale=${sale}`)
const verdict = (page: Page) => page.locator('#verdict .verdict')

async function paste(page: Page, receipt: string): Promise<void> {
  await page.locator('#receipt').fill(receipt)
  await page.locator('#check-receipt').click()
  await page.locator('#stop').waitFor({ state: 'detached' })
  await page.locator('#again').waitFor()
}

describe('a draw that is true', () => {
  it.each([
    ['en-GB', desktop, 'This draw is as published', 'Your entry is in the list: rank'],
    ['zh-CN', phone, '抽签结果真实无误', '您的报名已在名单中：第'],
    ['fr-FR', narrow, 'Ce tirage est régulier', 'Votre inscription figure dans la liste'],
  ] as const)('is found so in %s, and a receipt has its rank', async (locale, screen, title, own) => {
    const { page } = await reader(draw.files, screen, locale)
    await check(page)
    await verdict(page).waitFor()
    await page.locator('#verdict-title', { hasText: title }).waitFor()
    expect(await verdict(page).getAttribute('data-tone')).toBe('good')
    expect(await page.locator('#local').count()).toBe(1)
    const standing = draw.queues.reduce((sum, { length }) => sum + length, 0)
    expect(await page.locator('.facts dd').first().textContent()).toBe(String(standing))
    await paste(page, `  ${receiptOf(entry)}\n`)
    await page.locator('#draw .verdict[data-tone="good"]', { hasText: own }).waitFor()
    // What the browser keeps is checked again without a hand.
    await page.reload()
    await page.locator('#draw .verdict[data-tone="good"]', { hasText: own }).waitFor()
    expect(await overflows(page)).toBe(false)
    await expectAccessible(page, `draw-true-${locale}`)
  })

  it.each([
    ['en-GB', 'entries are open', 'This draw is void'],
    ['zh-CN', '报名', '本次抽签无效'],
  ] as const)(
    'says in %s that entries are open, and that a draw without a list in time is void',
    async (locale, open, ended) => {
      const rulesOf = (files: DrawFiles) => new Map([...files].filter(([path]) => path === 'draw.json'))
      const { page, published } = await reader(rulesOf(draw.files), phone, locale)
      const says = async (title: string) => {
        await check(page)
        await page.locator('#verdict-title', { hasText: title }).waitFor()
        expect(await verdict(page).getAttribute('data-tone')).toBe('calm')
        expect(await faultsOf(page)).toEqual([])
      }
      await says(open)
      const times = { opensAt: 1_700_000_000_000, closesAt: 1_700_003_600_000 }
      published.files = rulesOf(randomDraw(openRandom(5), 3, { ...times, variants: drawn }).files)
      // It is another draw than the one that this browser has seen.
      await page.evaluate(() => localStorage.clear())
      await says(ended)
      await picture(page, `draw-void-${locale}`)
    },
  )

  it('saves its winners in a file, and ignores a receipt of another draw', async () => {
    const { page } = await reader(draw.files)
    await check(page)
    const saved = page.waitForEvent('download')
    await page.locator('#winners').click()
    expect((await saved).suggestedFilename()).toBe(`${sale}.winners.csv`)
    await paste(page, 'not a receipt')
    await page.locator('#receipt-error', { hasText: 'not a receipt' }).waitFor()
    expect(await verdict(page).getAttribute('data-tone')).toBe('good')
  })
})

describe('a draw that is not true', () => {
  const names = ['a bit of the list', 'an entry that is left out', 'a list that was replaced']
  it('turns the page red and says why, by the published files and the lines that this browser stores', async () => {
    const { page, published } = await reader(draw.files)
    await check(page)
    await verdict(page).waitFor()
    const random = openRandom(9)
    for (const name of names) {
      const { files, known, faults } = tamperings[name]?.(draw, random) ?? {}
      const kept = JSON.stringify({ rules: undefined, receipts: [], lists: [], steps: [], ...known })
      await page.evaluate(([key = '', value = '']) => localStorage.setItem(key, value), [`sluice.draw.${sale}`, kept])
      published.files = files ?? new Map()
      await page.reload()
      await page.locator('#verdict .verdict[data-tone="bad"]').waitFor()
      const said = await page.locator('.faults li').allTextContents()
      const expected = (faults ?? []).map((fault) => words(drawFaultMessages[`fault.${fault}`], 'en'))
      expect(
        said.some((text) => expected.some((one) => text.startsWith(one))),
        `${name}: ${said}`,
      ).toBe(true)
    }
    expect(await page.locator('.verdict__sign').textContent()).toBe('✕')
    await expectAccessible(page, 'draw-false')
  })

  it('is proved by a receipt that the list leaves out', async () => {
    const { files, known } = tamperings['an entry that is left out']?.(draw, openRandom(3)) ?? {}
    const { page } = await reader(files ?? new Map(), phone, 'zh-CN')
    await check(page)
    await verdict(page).waitFor()
    expect(await verdict(page).getAttribute('data-tone')).toBe('good')
    for (const receipt of known?.receipts ?? []) {
      const { faults } = await checkDraw(sourceOf(files ?? new Map()), { verifyRound, known: { receipts: [receipt] } })
      if (faults.length > 0) await paste(page, receipt)
    }
    await page.locator('#draw .verdict[data-tone="bad"]', { hasText: '您的报名不在名单中' }).waitFor()
    await picture(page, 'draw-excluded')
  })
})

describe('a draw on the page of its sale', () => {
  const variants = [
    { id: 's', name: 'Small', stock: 1 },
    { id: 'm', name: 'Medium', stock: 1 },
    { id: 'l', name: 'Large', stock: 1 },
  ]
  const opensAt = Date.now()
  const times = { opensAt, closesAt: opensAt + 3_600_000, claimSeconds: 86_400 }
  const startsAt = earliestDrawStart({ ...times, commitSeconds: 120 })

  /** A published step, by which so many entries of each variant were offered a unit. */
  const step = (...offered: number[]) => `a.${Buffer.from(JSON.stringify({ offered })).toString('base64url')}.b\n`

  /** True when the page shows the button that buys, and the choice for it. */
  const offersToBuy = async (page: Page) => [
    await page.locator('#buy').isVisible(),
    await page.locator('#variants').isVisible(),
  ]

  /** Lets the time of the page pass until the entry is at that stage. */
  const turnsTo = (page: Page, stage: string, stepMs = 60_000) =>
    eventually(async () => {
      await page.clock.fastForward(stepMs)
      return (await page.getAttribute('#enter', 'data-stage')) === stage ? true : undefined
    })

  /** From now on the clock of the shop is a minute past the start. */
  const reachStart = (page: Page) =>
    page.route('**/current.json', async (route) => {
      // The page may be closed meanwhile.
      const response = await route.fetch().catch(() => undefined)
      if (response === undefined) return
      const headers = { ...response.headers(), [clockHeader]: String(startsAt + 60_000) }
      await route.fulfill({ response, headers })
    })

  /** The page, on which the shop answers what the test says: its schedule, which publishes rules, does not run. */
  async function entrant(name: string, changes: object = {}, view: object = {}, locale = 'en-GB') {
    const sale = { variants, stock: 3, draw: times, startsAt, endsAt: startsAt + 3_600_000, ...changes }
    const saleId = await createSale(stack, sale, 'warm')
    const page = await shopper(name, '/', { locale })
    const complaints = complaintsOf(page)
    const shop: {
      view: object
      sent: unknown[]
      published: (file: string) => string | undefined
      refusals: number
    } = { view: { state: 'none', ...view }, sent: [], refusals: 0, published: () => step(1, 1, 0) }
    await page.route(`**/api/entries/${saleId}`, (route) => {
      const request = route.request()
      if (request.method() === 'PUT') {
        const body = request.postDataJSON()
        shop.sent.push(body)
        shop.view = { state: 'entered', receipt: 'a.b.c', ...body }
      }
      shop.refusals -= 1
      return route.fulfill(shop.refusals >= 0 ? { status: 503 } : { json: shop.view })
    })
    await page.route(`**/sales/${saleId}/draw/*`, (route) => {
      const body = shop.published(new URL(route.request().url()).pathname.split('/').at(-1) ?? '')
      return route.fulfill(body === undefined ? { status: 404 } : { body })
    })
    await page.goto(`${stack.url}/sales/${saleId}/`)
    await page.locator('#enter-now').waitFor()
    return { page, complaints, shop }
  }

  it('takes a variant by keyboard, and an entrant changes it until the close', async () => {
    const { page, complaints, shop } = await entrant('ann')
    expect(await page.locator('#variants').isVisible(), 'the choice that buys').toBe(false)
    await page.locator('#enter-now').press('Enter')
    await says(page, '#enter-status', /Choose an option first/)
    await page.locator('#choice:focus').press('ArrowDown')
    await page.locator('#choice').press('ArrowDown')
    expect(await page.locator('#choice').inputValue()).toBe('m')
    expect(await faultsOf(page)).toEqual([])
    await page.locator('#enter-now').press('Enter')
    await page.locator('#enter[data-stage=entered] #leave').waitFor()
    expect(await page.locator('#change').count()).toBe(0)
    await page.locator('#choice').selectOption('l')
    await page.locator('#change').press('Enter')
    await says(page, '#enter-status', /has the new option/)
    expect(shop.sent).toEqual([{ variant: 'm' }, { variant: 'l' }])
    expect(await overflows(page)).toBe(false)
    await expectAccessible(page, 'draw-choices')
    expect(complaints).toEqual([])
  })

  it('solves the check of the sale with the click that enters, and sends the solution', async () => {
    const { page, complaints, shop } = await entrant('cem', { challenge: 'pow' })
    await page.locator('#choice').selectOption('m')
    await page.locator('#enter-now').press('Enter')
    await page.locator('#enter[data-stage=entered]').waitFor()
    expect(shop.sent).toEqual([{ variant: 'm', challenge: expect.stringMatching(/^[A-Za-z0-9+/=]{100,1800}$/) }])
    expect(await page.locator('#enter-check').isVisible()).toBe(false)
    expect(await faultsOf(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  it('keeps a coupon for a winner', async () => {
    const coupon = { kind: 'coupon', price: 0, variants: undefined, stock: 1 }
    const { page, complaints, shop } = await entrant('dan', coupon)
    await page.locator('#enter-now').press('Enter')
    await page.locator('#enter[data-stage=entered]').waitFor()
    expect(shop.sent).toEqual([{}])
    const place = { rank: 1, of: 1, offered: true }
    shop.view = { ...shop.view, place, offer: { until: startsAt + 3_000_000 } }
    await page.clock.fastForward(startsAt - opensAt)
    await turnsTo(page, 'won', 5000)
    await says(page, '#enter-state', /One unit is reserved for you until/)
    expect(await overflows(page)).toBe(false)
    await expectAccessible(page, 'draw-coupon')
    expect(complaints).toEqual([])
  })

  it('lets only a winner buy, and only the variant that was won', async () => {
    const { page, complaints, shop } = await entrant('ben')
    await page.locator('#choice').selectOption('m')
    await page.click('#enter-now')
    await page.locator('#enter[data-stage=entered]').waitFor()
    expect(await offersToBuy(page), 'it counts to the start, as of every sale').toEqual([true, false])
    shop.view = { ...shop.view, place: { rank: 2, of: 2 } }
    await page.clock.fastForward(startsAt - opensAt)
    await turnsTo(page, 'standby', 5000)
    await says(page, '#enter-state', /Your rank is 2 of 2.*You are next/)
    expect(await offersToBuy(page)).toEqual([false, false])
    expect(await overflows(page)).toBe(false)
    await expectAccessible(page, 'draw-lost')
    const until = startsAt + 3_000_000
    shop.view = { ...shop.view, place: { rank: 2, of: 2, offered: true }, offer: { until } }
    shop.published = () => step(1, 1, 0) + step(1, 2, 0)
    await turnsTo(page, 'won')
    await says(page, '#enter-state', /Your option: Medium/)
    await page.locator('#variants input[value=m]:checked').waitFor()
    expect(await page.locator('#variants .variant:visible').allTextContents()).toHaveLength(1)
    expect(await offersToBuy(page)).toEqual([true, true])
    expect(await faultsOf(page)).toEqual([])
    expect(await overflows(page)).toBe(false)
    await page.clock.fastForward(until - startsAt)
    await turnsTo(page, 'over')
    await says(page, '#enter-state', /Your offer has expired/)
    expect(await offersToBuy(page)).toEqual([false, false])
    expect(complaints).toEqual([])
  })

  it('retries for a winner after a failed answer, and then shows the button', async () => {
    const { page, shop } = await entrant('flo', { variants: undefined, stock: 1 })
    shop.view = { state: 'entered', place: { rank: 1, of: 1, offered: true } }
    shop.view = { ...shop.view, offer: { until: startsAt + 3_000_000 } }
    shop.refusals = 1000
    await reachStart(page)
    await page.reload()
    await page.locator('#enter[data-stage=closed]').waitFor()
    expect(await offersToBuy(page)).toEqual([false, false])
    // The first answer is that to the page, the second one that to what is published.
    await eventually(async () => {
      await page.clock.fastForward(5000)
      return shop.refusals <= 998 ? true : undefined
    })
    shop.refusals = 0
    await turnsTo(page, 'won', 5000)
    expect(await offersToBuy(page)).toEqual([true, false])
  })

  it.each([
    ['en-GB', 'This draw is void', /did not close the list of entries before .+ enter again/, 'm'],
    ['zh-CN', '本次抽签无效', /之前锁定报名名单.+再次报名/, undefined],
  ] as const)(
    'says in %s that it is void, why, and what becomes of entries, with no way to buy, once its number is due and its list is not closed',
    async (locale, title, reason, variant) => {
      const changes = variant === undefined ? { variants: undefined, stock: 1 } : {}
      const { page, complaints, shop } = await entrant(`eli-${locale}`, changes, {}, locale)
      const asWinner = [true, variant !== undefined]
      if (variant !== undefined) await page.locator('#choice').selectOption(variant)
      await page.locator('#enter-now').press('Enter')
      await page.locator('#enter[data-stage=entered]').waitFor()
      shop.published = () => undefined
      await page.clock.fastForward(times.closesAt - opensAt)
      await page.locator('#enter[data-stage=awaited]').waitFor()
      await turnsTo(page, 'void')
      await says(page, '#enter-status', title)
      await says(page, '#enter-state b', title)
      await says(page, '#enter-state', reason)
      expect(await offersToBuy(page)).toEqual([false, false])
      expect(await overflows(page)).toBe(false)
      await expectAccessible(page, `draw-void-on-sale-${locale}`)
      // A reader who comes later, and has not entered, learns it as well.
      shop.view = { state: 'none' }
      await reachStart(page)
      await page.reload()
      await says(page, '#enter[data-stage=void] #enter-state', reason)
      expect(await offersToBuy(page)).toEqual([false, false])
      // The list was late in the caches alone: its result follows.
      shop.view = { state: 'entered', variant, place: { rank: 1, of: 1 }, offer: { until: startsAt + 3e6 } }
      shop.published = () => 'a line\n'
      await turnsTo(page, 'won')
      expect(await offersToBuy(page)).toEqual(asWinner)
      expect(complaints).toEqual([])
    },
  )
})

describe('the page of a draw', () => {
  it('says so while entries are open, before the round, and for a sale without a draw', async () => {
    const open: DrawFiles = new Map(draw.files)
    open.delete('list.txt')
    const closed: DrawFiles = new Map(draw.files)
    closed.delete('beacon.json')
    const { page, published } = await reader(closed)
    await check(page)
    await page.locator('#verdict .verdict', { hasText: 'waiting for the random number' }).waitFor()
    published.files = new Map()
    await page.evaluate(() => localStorage.clear())
    await page.reload()
    await page.locator('#verdict .verdict', { hasText: 'No draw is published here' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.goto(`${stack.url}/draw/`)
    await page.locator('#verdict .verdict', { hasText: 'No draw is published here' }).waitFor()
    published.files = open
    await check(page)
    await page.locator('#verdict .verdict[data-tone="bad"]', { hasText: 'not as published' }).waitFor()
    expect(await page.locator('.faults li').allTextContents()).toHaveLength(1)
  })

  it('has words for every fault that a check can find', () => {
    expect(Object.keys(drawFaultMessages)).toEqual(drawFaults.map((fault) => `fault.${fault}`))
  })
})
