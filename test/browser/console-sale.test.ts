/**
 * One sale in the console, in a real browser: what each role sees of it, before it opens, while it sells and after
 * its end; what each action says before it acts; and what is special about coupons and red packets.
 */
import { readFile } from 'node:fs/promises'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import type { Page } from '@playwright/test'
import { afterAll, describe, expect, it } from 'vitest'
import { embedText } from '../../console/sale/embed-text.ts'
import type { Live } from '../../core/api/control-answers.ts'
import type { PersonData } from '../../core/api/own-data.ts'
import { isolated } from '../../core/lib/text.ts'
import { saleMailKey } from '../../functions/table/keys.ts'
import { openSystem } from '../../proof/bench/system.ts'
import {
  buy,
  buyUnits,
  buyWhenAdmitted,
  click,
  control,
  createSale,
  definition,
  eventually,
  openSale,
  placeOrder,
  startTokenOf,
  writtenOrder,
} from '../journey/support.ts'
import { saleIdOf, shopperNamed } from '../redis/support.ts'
import { phone } from './browser.ts'
import {
  addPicture,
  askedBy,
  type ConsoleSession,
  choose,
  consoleOf,
  enter,
  localTime,
  mia,
  pressAndChoose,
  saveNewSale,
  unfold,
} from './console.ts'
import { inputOf, soon, switchLanguage, textOf } from './reads.ts'
import { openShop } from './shop.ts'
import { expectAccessible, expectNoComplaints, faultsOf, picture } from './visitor.ts'

const { stack, browser } = await openShop()
const behind = await openSystem(stack.url)
afterAll(() => behind.close())

const openConsole = (path: string, session: ConsoleSession = mia) => consoleOf(browser, stack, path, session)

const tile = (page: Page, name: string, hasText: RegExp) => page.locator(`#live-${name}`, { hasText }).waitFor()

/** Whether the reader of this screen sees all of the element without scrolling. */
async function isInSight(page: Page, id: string): Promise<boolean> {
  const box = await page.locator(`#${id}`).boundingBox()
  const size = page.viewportSize()
  return box !== null && size !== null && box.y >= 0 && box.y + box.height <= size.height
}

describe('the first screen of a sale', () => {
  it('shows what is left, who waits and how it ended', async () => {
    const saleId = 'overview'
    const startsAt = Date.now() + 7_200_000
    await control(
      stack,
      '/sales',
      // So slowly that most of the crowd still finds no place on a machine that takes seconds for it.
      definition({ saleId, stock: 8, startsAt, endsAt: startsAt + 3_600_000, admitPerSecond: 2 }),
    )
    await control(stack, `/sales/${saleId}/start`, {})
    const page = await openConsole(`#/sale/${saleId}`)
    expectNoComplaints(page)

    await page.locator('#overview-opens', { hasText: /^\d:\d\d:\d\d$/ }).waitFor()
    await tile(page, 'remaining', /^8$/)
    await textOf(page, '#overview-offer').toContain('¥0.10')
    await soon(() => page.locator('#live-waiting').isVisible()).toBe(false)

    await control(stack, `/sales/${saleId}/start`, { now: true })
    const startToken = await startTokenOf(stack, saleId)
    await page.locator('#phase[data-phase=open]').waitFor()
    const shoppers = await Promise.all(Array.from({ length: 30 }, (_, i) => stack.token(`overview-${i}`)))
    const answers = await Promise.all(shoppers.map((token) => buy(stack, saleId, { token, startToken })))
    const waiting = shoppers.filter((_, i) => answers[i]?.status === 429)
    expect(waiting.length).toBeGreaterThan(10)
    await tile(page, 'waiting', /^about \d+$/)
    await tile(page, 'sold', /^[1-9]/)
    await page.locator('#demand').waitFor()
    for (const id of ['health', 'live-remaining', 'live-sold', 'live-waiting', 'live-sellOut', 'demand'])
      await soon(() => isInSight(page, id)).toBe(true)
    const size = page.viewportSize()
    await page.setViewportSize({ width: 390, height: 844 })
    for (const id of ['health', 'live-remaining', 'live-sold']) await soon(() => isInSight(page, id)).toBe(true)
    if (size !== null) await page.setViewportSize(size)

    await Promise.all(waiting.map((token) => buyWhenAdmitted(stack, saleId, { token, startToken })))
    await tile(page, 'sellOut', /^sold out in (\d+(\.\d)? s|\d+ min( \d+ s)?)$/)
    await tile(page, 'remaining', /^0$/)

    await unfold(page, 'health')
    await page.locator('#check').waitFor()
    await tile(page, 'booked', /^8$/)
    await page.locator('#health > summary').press('Enter')
    await page.locator('#check').waitFor({ state: 'hidden' })

    await control(stack, `/sales/${saleId}/close`, {})
    await textOf(page, '#overview-end').toBe('Ended manually. Everything was sold.')
    await soon(() => page.locator('#live-waiting').isVisible()).toBe(false)
  })

  it('is reached, unfolded and folded from the keyboard', async () => {
    const saleId = await createSale(stack, {}, 'start')
    const page = await openConsole(`#/sale/${saleId}`, {
      ...mia,
      screen: { ...phone, viewport: { width: 320, height: 640 } },
    })
    await page.locator('#health > summary').focus()
    await page.keyboard.press('Enter')
    await page.locator('#check').waitFor()
    await page.keyboard.press('Tab')
    await page.locator('#check:focus').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('#status', { hasText: 'match' }).waitFor()
  })
})

describe('the panel "Put it on your site"', () => {
  it('gives the code of the sale to the keyboard and the clipboard, and says which sites may sell it', async () => {
    const title = 'Mug & <saucer>'
    const { saleId } = await openSale(stack, { title })
    const page = await openConsole(`#/sale/${saleId}`)
    expectNoComplaints(page)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stack.url })
    await page.locator('#embed > summary').press('Enter')
    const panel = page.locator('#embed')
    await panel.getByText('No website can sell it yet').waitFor()

    for (const form of ['tags', 'place'] as const) {
      await page.locator(`#embed-copy-${form}`).press('Enter')
      await panel.getByRole('status').filter({ hasText: 'Copied' }).waitFor()
      await textOf(page, `#embed-copy-${form}`).toBe('Copied')
      const expected = embedText(form, { kind: 'sale', origin: stack.url, saleId, title })
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(expected)
      await textOf(page, `#embed-${form}`).toBe(expected)
    }
    await textOf(page, '#embed-copy-tags').toBe('Copy')

    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))")
    await page.click('#embed-copy-tags')
    await panel.getByText('copy it by hand').waitFor()
    expect(await page.evaluate('getSelection().toString().trim()')).toBe(
      embedText('tags', { kind: 'sale', origin: stack.url, saleId, title }),
    )

    await control(stack, `/sales/${saleId}`, { allowedOrigins: ['https://shop.example'] }, 'PATCH')
    await panel.getByText('https://shop.example', { exact: true }).waitFor()
    await soon(() => panel.getByText('No website can sell it yet').count()).toBe(0)
    await panel.getByRole('link', { name: 'Change the websites' }).click()
    await page.locator('#save').waitFor({ state: 'attached' })
    expect(page.url()).toContain(`#/sale/${saleId}/edit`)
  })

  it('shows the element itself, as the chosen look makes it, and buys nothing', async () => {
    const { saleId } = await openSale(stack, { allowedOrigins: ['https://shop.example'] })
    const page = await openConsole(`#/sale/${saleId}`)
    expectNoComplaints(page)
    const sent: string[] = []
    page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`))
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stack.url })
    await page.locator('#embed > summary').press('Enter')
    const shown = page.locator('#embed-preview')
    await soon(() => shown.locator('sluice-sale [part=button]').textContent()).toBe('Buy now')
    await textOf(page, '#embed-preview [part=title]').toBe('Stoneware mug')
    await expectAccessible(page, 'console-embed')

    const background = () =>
      page.evaluate(
        "getComputedStyle(document.querySelector('#embed-preview > *').shadowRoot.querySelector('[part=button]')).backgroundColor",
      )
    await page.fill('#field-embed-accent', '#0b6e4')
    await textOf(page, '#field-embed-accent-error').toContain('such as #0b6e4f')
    expect(await background()).toBe('rgb(191, 54, 23)')
    await page.fill('#field-embed-accent', '#0b6e4f')
    await soon(background).toBe('rgb(11, 110, 79)')
    await textOf(page, '#embed-contrast').toContain('Below 4.5:1')
    await page.fill('#field-embed-accentText', '#ffffff')
    await textOf(page, '#embed-contrast').toMatch(/: 6\.\d\d:1\.$/)
    await page.fill('#field-embed-radius', '4')
    await page.locator('#embed-kind-button').focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowRight')
    await soon(() => shown.locator('sluice-button [part=button]').textContent()).toBe('Buy now')
    await soon(() => shown.locator('sluice-sale, [part=title]').count()).toBe(0)
    expect(await background()).toBe('rgb(11, 110, 79)')
    await page.click('#embed-copy-style')
    await textOf(page, '#embed-copy-style').toBe('Copied')
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      'sluice-button {\n  --sluice-accent: #0b6e4f;\n  --sluice-accent-text: #ffffff;\n  --sluice-radius: 4px;\n}',
    )
    await textOf(page, '#embed-tags').toContain(`<sluice-button sale="${saleId}"`)
    expect(await faultsOf(page)).toEqual([])
    await page.locator('#embed-contrast').scrollIntoViewIfNeeded()
    await picture(page, 'console-embed-themed')

    // Neither a click nor the keyboard reaches its button.
    await shown.locator('[part=button]').dispatchEvent('focus')
    await shown.locator('[part=button]').click({ force: true })
    await page.locator('#embed-copy-tags').focus()
    expect(await page.evaluate("document.querySelector('#embed-preview').matches(':focus-within')")).toBe(false)
    await page.locator('#embed > summary').click()
    await shown.waitFor({ state: 'detached' })
    expect(sent.filter((line) => /\/orders$|\/api\/pass/.test(line))).toEqual([])
  })
})

describe('the effects of an action on a sale', () => {
  it('are said with numbers before units are added or removed, an order is made or given back', async () => {
    const { saleId, orderId } = await placeOrder(stack, 'effects-ann', { stock: 20, price: 490, currency: 'EUR' })
    const page = await openConsole(`#/sale/${saleId}`)
    expectNoComplaints(page)

    await tile(page, 'remaining', /^19$/)
    await page.fill('#delta', '5')
    await textOf(page, '#stock-effect').toBe(
      'Add: 20 → 25 units in total.Remove: 20 → 15 units in total.Open pages of a running sale show it within ten seconds.',
    )
    expect(await askedBy(page, '#stock-remove')).toContain('20 → 15 units in total')
    expect(await control(stack, `/sales/${saleId}`)).toMatchObject({ stock: 20 })
    await page.fill('#delta', '20')
    await textOf(page, '#stock-effect').toContain('Only 19 units are left')
    expect(await askedBy(page, '#stock-remove')).toContain('Only 19 units are left')
    await page.fill('#delta', '-3')
    await page.click('#stock-add')
    await textOf(page, '#stock-effect').toBe('Enter a whole number from 1 to 99,999,999.')
    await page.fill('#delta', '5')
    await pressAndChoose(page, '#stock-remove', 'remove')
    await page.locator('#live-total', { hasText: 'of 15' }).waitFor()

    await unfold(page, 'reserve-panel')
    await enter(page, { 'reserve-shopperId': 'effects-bob', 'reserve-quantity': '1' })
    expect(await askedBy(page, '#reserve')).toMatch(/^effects-bob: 1 unit · €4\.9014 → 13 left\.The shopper has/)

    await unfold(page, 'refund-panel')
    await page.fill('#field-refund-order', orderId)
    const refund = await askedBy(page, '#refund')
    expect(refund).toContain(`${isolated('Stoneware mug')}: 1 unit · €4.90 · Awaiting payment`)
    expect(refund).toContain('The order is cancelled. There is nothing to refund.1 unit returns to stock.')
    await pressAndChoose(page, '#refund', 'refund')
    await page.locator('#status', { hasText: 'Cancelled' }).waitFor()
    await page.fill('#field-refund-order', orderId)
    await page.click('#refund')
    await page.locator('#status', { hasText: 'this order is “Cancelled”' }).waitFor()
  })
})

it('an action whose answer is lost is sent once, and may be pressed again', async () => {
  const { saleId } = await openSale(stack)
  const page = await openConsole(`#/sale/${saleId}`)
  const call = /\/pause$/
  let sent = 0
  await page.route(call, (route) => {
    sent += 1
    return route.abort()
  })
  const pause = async () => {
    await pressAndChoose(page, '[data-action=pause]', 'pause')
  }
  await pause()
  await textOf(page, '#status').toContain('We couldn’t confirm the result. It’s safe to try again')
  expect(sent).toBe(1)
  await page.unroute(call)
  await pause()
  await page.locator('#phase[data-phase=paused]').waitFor()
})

it('the effects of a block are said before it is set, and before it is lifted', async () => {
  const page = await openConsole('#/blocks')
  await enter(page, { value: '198.51.100.0/28', blockReason: 'Bots of the spring sale' })
  await page.fill('#field-blockUntil', '2020-01-01T00:00')
  await page.click('#block')
  await page.locator('#field-blockUntil-error', { hasText: 'Enter a time in the future.' }).waitFor()
  await page.fill('#field-blockUntil', '2099-12-31T23:00')
  expect(await askedBy(page, '#block')).toMatch(/^16 addresses\./)
  await inputOf(page, '#field-value').toBe('198.51.100.0/28')
  await pressAndChoose(page, '#block', 'block')
  await page
    .locator('[data-block="ip 198.51.100.0/28"]', { hasText: /Bots of the spring sale.*until 31 Dec 2099/s })
    .waitFor()
  const remove = page.locator('[data-block="ip 198.51.100.0/28"] button')
  await remove.click()
  await textOf(page, '#confirm-text').toContain('within 2 seconds')
  await choose(page, 'unblock')
  await remove.waitFor({ state: 'detached' })
  await page.locator('#field-kind:focus, #field-value:focus').first().waitFor()

  for (const [choice, value] of [
    ['block', '2001:db8:1:2::/64'],
    ['alone', '2001:db8:1:2::a'],
  ] as const) {
    await page.fill('#field-value', '2001:DB8:1:2:0::A')
    expect(await askedBy(page, '#block')).toMatch(
      /^2001:db8:1:2::\/64 is one connection.*2001:db8:1:2::a by itself is blocked only/,
    )
    await pressAndChoose(page, '#block', choice)
    await pressAndChoose(page, `[data-block="ip ${value}"] button`, 'unblock')
    await page.locator(`[data-block="ip ${value}"]`).waitFor({ state: 'detached' })
  }

  const buffer = Buffer.from('kind,value,reason\nshopper,robot-1,Bot\nip,10.0.0.0/7,\n')
  await page.click('#blocks-file summary')
  await page.setInputFiles('#field-blocks', { name: 'blocks.csv', mimeType: 'text/csv', buffer })
  await page.click('#blocks-check')
  await page.locator('#blocks-ready', { hasText: 'To add or change: 1. Already on the list: 0.' }).waitFor()
  await soon(() => page.locator('[data-line="3"]').getAttribute('data-code')).toBe('wide')
  await soon(() => page.locator('[data-block="shopper robot-1"]').count()).toBe(0)
  await page.click('#blocks-do')
  await page.locator('[data-block="shopper robot-1"]', { hasText: 'Bot' }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await pressAndChoose(page, '[data-block="shopper robot-1"] button', 'unblock')
  await page.locator('[data-block="shopper robot-1"]').waitFor({ state: 'detached' })
})

const shownTabs = (page: Page) => page.locator('.tabs a:visible').allTextContents()

/** Expects none of these to be visible, on a view that is drawn. */
async function seesNoneOf(page: Page, selectors: readonly string[]): Promise<void> {
  for (const selector of selectors) expect(await page.locator(`${selector}:visible`).count(), selector).toBe(0)
}

it('the console of a viewer shows numbers, lists and reports, and nothing that changes them', async () => {
  const { saleId } = await openSale(stack, { stock: 3 })
  const page = await openConsole(`#/sale/${saleId}`, { ...mia, name: 'vera', roles: ['viewer'] })
  expectNoComplaints(page)
  await page.locator('#phase[data-phase=open]').waitFor()
  await textOf(page, '#access').toBe('Signed in as vera · viewer')
  await soon(() => shownTabs(page)).toEqual(['Sales', 'Orders', 'Activity', 'Settings'])
  await page.locator('#orders-download:visible').waitFor()
  await seesNoneOf(page, [
    ...['#edit', '[data-action]', '#delta', '#refund', '#check', '#recover', '#redrive'],
    ...['#shipments'],
  ])

  await page.click('[data-tab=settings]')
  await page.click('[href="#/blocks"]')
  await page.locator('#blocks > *').first().waitFor()
  await soon(() => page.locator('#block-form').count()).toBe(0)
  await page.click('[data-tab=sales]')
  await page.locator('#search-find').waitFor()
  await soon(() => page.locator('#new-sale').count()).toBe(0)
  await page.evaluate("location.hash = '#/new'")
  await page.locator('#view .empty', { hasText: 'You need the role marketer for this.' }).waitFor()
})

it('the console of support gives an order back up to the limit, and says who may above it', async () => {
  const { saleId, startToken } = await openSale(stack, {
    ...{ stock: 5, price: 10, supportRefundLimit: 10, maxPerOrder: 2, limitPerShopper: 2 },
  })
  const order = async (name: string, quantity: number) => {
    const { orderId } = await placeOrder(stack, name, { saleId, startToken }, { quantity })
    return orderId
  }
  const [small, large] = [await order('one-roles', 1), await order('two-roles', 2)]
  const page = await openConsole(`#/sale/${saleId}`, { ...mia, name: 'sam', roles: ['support'] })
  await page.locator('#refund-panel').waitFor()
  await textOf(page, '#access').toBe('Signed in as sam · support')
  await seesNoneOf(page, ['#edit', '[data-action]', '#delta', '#check', '#orders-download', '#report-of-sale'])
  const ask = async (orderId: string) => {
    await unfold(page, 'refund-panel')
    await page.fill('#field-refund-order', orderId)
    await page.click('#refund')
  }
  const says = (news: string) => page.locator('#status', { hasText: news }).waitFor()
  const limit =
    'Support may cancel or refund orders of at most CN¥0.10 in this sale; this one is CN¥0.20. Ask a marketer.'
  await ask(large)
  await says(limit)
  await seesNoneOf(page, ['#confirm[open]'])
  await switchLanguage(page)
  // The words of the other language are loaded when it is chosen first.
  await page.locator('html[lang=zh-CN]').waitFor()
  await ask(large)
  await says('客服在本活动中最多可处理 ¥0.10 的订单，该订单为 ¥0.20，请联系运营人员处理。')
  await switchLanguage(page)
  await ask(small)
  await page.locator('#confirm-text', { hasText: 'Stoneware mug' }).waitFor()
  await choose(page, 'refund')
  await says('Cancelled: it had not been paid.')
  const audit = await control<{ entries: object[] }>(stack, '/audit')
  expect(audit.entries).toContainEqual(
    expect.objectContaining({
      ...{ who: 'sam', role: 'support', what: 'refund' },
      after: expect.objectContaining({ orderId: small }),
    }),
  )
  await page.click('[data-tab=orders]')
  await page.fill('#field-find', 'one-roles')
  await page.click('#find')
  const card = page.locator(`[data-order="${small}"][data-status=cancelled]`)
  await card.locator('.changes li', { hasText: 'Cancelled or refunded by the shop' }).waitFor()
  await page.fill('#field-find', large)
  await page.click('#find')
  const reason = page.locator(`[data-order="${large}"] [data-over-limit]`)
  await soon(() => reason.textContent()).toBe(limit)
  expect(await page.locator(`[data-order="${large}"] .button`).count()).toBe(0)
  await soon(() => page.locator('#found article').count()).toBe(1)
  await page.evaluate(`location.hash = '#/orders?sale=${saleId}'`)
  await page.locator('#choose-all').check()
  await textOf(page, '#chosen-orders [data-over-limit]').toBe(
    '1 costs more than support may cancel or refund. Ask a marketer.',
  )
  await textOf(page, '#refund-chosen').toBe('Refund 1 order')
  await page.evaluate("location.hash = '#/audit'")
  await page.locator('#view .empty').waitFor()
})

describe('a sale in two tabs of the console', () => {
  it('shows in one what the other has done, since when it has no answer, and a sign-in where the session ends in a dialog', async () => {
    const { saleId } = await openSale(stack)
    const page = await openConsole(`#/sale/${saleId}`)
    await page.locator('#phase[data-phase=open]').waitFor()
    const other = await page.context().newPage()
    await other.goto(page.url())
    await flip(other, 'pause')
    await page.locator('#phase[data-phase=paused]').waitFor()
    await page.locator('[data-action=resume]').waitFor()

    await page.context().setOffline(true)
    await textOf(page, '#health > summary').toContain('Unknown since')
    await page.context().setOffline(false)
    await textOf(page, '#health > summary').not.toContain('Unknown since')

    await page.click('[data-action=close]')
    await page.locator('#confirm[open]').waitFor()
    await page.context().clearCookies()
    await choose(page, 'close')
    await page.locator('#view .empty .button').waitFor()
    expect(await page.locator('#confirm[open]').count()).toBe(0)
    expect(await control(stack, `/sales/${saleId}`)).toMatchObject({ flag: 'paused' })
  })
})

it('the console of a shopper says which roles it needs, and offers another sign-in', async () => {
  const page = await openConsole('', { ...mia, name: 'ann', roles: [] })
  await page.locator('#view .empty', { hasText: 'You need the role marketer, support or viewer for this.' }).waitFor()
  expect(await shownTabs(page)).toEqual(['Sales'])
  // The account that lacks the role is signed in at the identity provider, too.
  await soon(() => page.locator('#view .button').getAttribute('href')).toMatch(
    /^\/api\/sign-in\?return=[^&]+&prompt=login$/,
  )
})

/** Opens the form of a new sale and chooses its kind with the arrow keys alone. */
async function chooseKind(page: Page, steps: number): Promise<void> {
  await page.click('#new-sale')
  await page.locator('#kind-goods').focus()
  for (let step = 0; step < steps; step += 1) await page.keyboard.press('ArrowDown')
}

async function describeSale(page: Page, title: string): Promise<void> {
  await enter(page, { title, description: 'For quick shoppers.' })
  await addPicture(page)
  await page.locator('#fairness-first-come').check()
}

/** Presses the button of a flip and agrees; returns what was asked. */
async function flip(page: Page, action: string): Promise<string> {
  await page.click(`[data-action=${action}]`)
  await page.locator('#confirm[open]').waitFor()
  const asked = (await page.locator('#confirm-text').textContent()) ?? ''
  await choose(page, action)
  return asked
}

const visible = (page: Page, names: readonly string[]) =>
  Promise.all(names.map((name) => page.locator(`#field-${name}`).isVisible()))

it('a coupon sale in the console is created without a price, and its codes can be downloaded', async () => {
  const page = await openConsole('')
  expectNoComplaints(page)
  await chooseKind(page, 1)
  await soon(() => page.locator('#kind-coupon').isChecked()).toBe(true)
  const absent = ['price', 'paymentWindowSeconds', 'packets-count']
  await soon(() => visible(page, absent)).toEqual([false, false, false])
  await describeSale(page, 'Tea voucher')
  await enter(page, { stock: '20', startsAt: localTime(Date.now() - 60_000), limitPerShopper: '2' })
  // It follows the limit of a person.
  await inputOf(page, '#field-maxPerOrder').toBe('2')
  await page.fill('#field-coupons-validUntil', localTime(Date.now() + 30 * 86_400_000))
  await saveNewSale(page)

  expect(await flip(page, 'open-now')).toContain('20 coupons, free of charge')
  await page.locator('#phase[data-phase=open]').waitFor()
  await textOf(page, '.facts').toContain('Valid until')
  const startToken = await startTokenOf(stack, 'tea-voucher')
  const token = await stack.token('kind-ann')
  const { orderId } = await buyUnits(stack, 'tea-voucher', { token, quantity: 2, startToken })
  await tile(page, 'sold', /^2$/)

  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#codes-download')])
  expect(download.suggestedFilename()).toBe('tea-voucher-coupons.csv')
  const [headings, ...lines] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
  expect(headings).toMatch(/^code,orderId,/)
  expect(lines).toHaveLength(2)
  expect(new Set(lines.map((line) => line.split(',')[1]))).toEqual(new Set([orderId]))

  // Later sales of this shop may fill the first page of its list.
  await page.click('.back')
  await page.fill('#search-find', 'tea voucher')
  await textOf(page, '[data-sale-id=tea-voucher]').toMatch(/Free · 20 coupons.*Coupons/)
})

describe('a sale of red packets in the console (P1)', () => {
  it('shows how the money may be split before the sale, and where it went afterwards', async () => {
    const page = await openConsole('')
    expectNoComplaints(page)
    await chooseKind(page, 2)
    await soon(() => page.locator('#kind-red-packet').isChecked()).toBe(true)
    await soon(() => visible(page, ['price', 'stock', 'limitPerShopper'])).toEqual([false, false, false])
    await describeSale(page, 'Spring rain')
    await unfold(page, 'advanced')
    await enter(page, { currency: 'CNY', 'packets-count': '1000', 'packets-totalAmount': '5000' })
    await page.locator('#split-chart').waitFor()
    await page.locator('#field-packets-totalAmount[aria-invalid=false]').waitFor()
    await soon(() => page.locator('.split__bars span').count()).toBeGreaterThanOrEqual(15)
    await textOf(page, '#split-mean').toBe('CN¥5.00')
    await textOf(page, '#split').toContain('in secret')
    await textOf(page, '#split-summary').toMatch(/^1,000 red packets from CN¥0\.\d\d to CN¥/)

    // From the keyboard: another example differs.
    const before = await page.locator('#split-summary').textContent()
    await page.locator('#split-again').press('Enter')
    await textOf(page, '#split-summary').not.toBe(before)

    // Two waves: each has its own amounts, and the example may be of either.
    await page.fill('#field-startsAt', localTime(Date.now() - 60_000))
    await page.click('#window-add')
    await page.click('#window-add')
    await enter(page, { 'windows-1-stock': '12', 'windows-1-totalAmount': '110.50' })
    await page.selectOption('#split-which', { label: 'Round 2' })
    await page.locator('#split-summary', { hasText: /^12 red packets/ }).waitFor({ state: 'attached' })
    await enter(page, { 'windows-0-stock': '4', 'windows-0-totalAmount': '20' })
    await saveNewSale(page)
    await textOf(page, '#windows').toMatch(/4 red packets · CN¥20\.00.*12 red packets · CN¥110\.50/)

    expect(await askedBy(page, '[data-action=open-now]')).toContain('CN¥130.50 is split into 16 red packets, in secret')
    await control(stack, '/sales/spring-rain/warm', {})
    await page.locator('#phase[data-phase=scheduled]').waitFor()
    await textOf(page, '#stock-line').toContain('cannot be changed')
    await page.locator('#delta').waitFor({ state: 'hidden' })
    await tile(page, 'left', /^CN¥130\.50$/)

    expect(await flip(page, 'open-now')).toContain('4 red packets with CN¥20.00')
    await page.locator('#phase[data-phase=open]').waitFor()
    const startToken = await startTokenOf(stack, 'spring-rain')
    let claimed = 0
    for (const who of ['kind-ann', 'kind-bob', 'kind-cy']) {
      const token = await stack.token(who)
      const answer = await click<{ amount: number }>(stack, '/api/sales/spring-rain/packets', {
        token,
        body: { startToken },
      })
      expect(answer.status).toBe(200)
      claimed += answer.body.amount
    }
    await tile(page, 'remaining', /^1$/)
    await tile(page, 'sold', /^3$/)
    const money = (amount: number) => new RegExp(`^CN¥${(amount / 100).toFixed(2)}$`)
    await tile(page, 'claimed', money(claimed))
    await tile(page, 'left', money(13_050 - claimed))
    await textOf(page, '#live-returned').toBe('–')
    await soon(() => page.locator('#refund').isVisible()).toBe(false)

    // Final: unclaimed money goes back once every claim is credited.
    expect(await flip(page, 'close')).toContain('the rest of the money is returned to you')
    await page.locator('#phase[data-phase=ended]').waitFor()
    // Money goes back only while the queue of orders, which other sales of this shop use, is empty.
    await eventually(async () => {
      await behind.reconcile()
      const { money } = await control<Live>(stack, '/sales/spring-rain/live')
      return money?.returned ?? undefined
    })
    await tile(page, 'returned', money(13_050 - claimed))
  })
})

async function findShopper(page: Page, shopperId: string, listed?: string): Promise<void> {
  await page.goto(page.url().replace(/#.*$/, '#/orders'))
  // The former view has a field of that name as well.
  await page.locator('#order-table').waitFor()
  await page.fill('#field-find', shopperId)
  await page.click('#find')
  await page.locator('#shopper h2', { hasText: shopperId }).waitFor()
  if (listed !== undefined) await textOf(page, '#shopper-list').toContain(listed)
}

/** On the page of a shopper of whom the shop has a sent email and nothing else. */
async function exportAndErase(page: Page): Promise<void> {
  const saved = async (format: 'html' | 'json') => {
    const [file] = await Promise.all([page.waitForEvent('download'), page.click(`#person-${format}`)])
    return readFile(await file.path(), 'utf8')
  }
  const { parts } = JSON.parse(await saved('json')) as PersonData
  expect(parts.map(({ part }) => part)).toEqual(['mails'])
  expect(await saved('html')).toContain('sent-before-the-test')
  await expectAccessible(page, 'person')

  await page.click('#person-erase')
  await picture(page, 'person-erase')
  await choose(page, 'erase')
  await textOf(page, '#status').toBe('Erased.')
  expect(JSON.parse(await saved('json'))).toMatchObject({ parts: [], kept: [], open: [] })
}

it('the table of orders is filtered, leads to an order by its number, and gives back those that are chosen', async () => {
  const saleId = 'ordered'
  await openSale(stack, { saleId, stock: 5 })
  const startToken = await startTokenOf(stack, saleId)
  const sold: string[] = []
  for (const name of ['ordered-ann', 'ordered-bo', 'ordered-cy']) {
    const token = await stack.token(name)
    const { body } = await buyWhenAdmitted(stack, saleId, { token, key: name, startToken })
    await writtenOrder(stack, body.orderId, token)
    sold.push(body.orderId)
  }
  const mailKey = saleMailKey(saleIdOf(saleId), shopperNamed('ordered-dan'), Date.now())
  const item = { ...mailKey, attempt: 'sent-before-the-test', sentAt: Date.now() }
  await behind.table.client.send(new PutCommand({ TableName: behind.table.name, Item: item }))
  const page = await openConsole(`#/sale/${saleId}`)
  expectNoComplaints(page)
  await page.click('#orders-of-sale')
  const rows = page.locator('#order-table tbody tr')
  await soon(() => rows.count()).toBe(3)
  await expectAccessible(page, 'orders-table')

  for (const orderId of sold.slice(0, 2)) await page.check(`[data-order="${orderId}"] input`)
  await page.locator('#chosen-orders p', { hasText: '2 orders selected' }).waitFor()
  await picture(page, 'orders-chosen')
  expect(await askedBy(page, '#refund-chosen')).toContain('Unpaid orders are cancelled')
  await pressAndChoose(page, '#refund-chosen', 'refund')
  await textOf(page, '#status').toContain('2 orders refunded or cancelled')
  await soon(() => page.locator('#order-table tr[data-status=cancelled]').count()).toBe(2)
  await page.selectOption('#field-status', 'awaiting-payment')
  await soon(() => rows.count()).toBe(1)

  const number = (await rows.locator('th a').textContent()) ?? ''
  expect(number).toMatch(/^\d{3}\u00a0\d{3}\u00a0\d{3}$/)
  await rows.locator('th a').click()
  await page.locator('#found h2', { hasText: number }).waitFor()
  await page.fill('#field-find', number)
  await page.click('#find')
  await page.locator(`#found [data-order="${sold[2]}"]`).waitFor()

  await findShopper(page, 'ordered-dan')
  await page.locator('#found .empty', { hasText: 'No orders found' }).waitFor()
  await exportAndErase(page)
  await findShopper(page, 'ordered-cy', 'Awaiting payment')
  await expectAccessible(page, 'shopper')
  await page.context().close()

  const chinese = await openConsole('#/orders/ordered-cy', { ...mia, locale: 'zh-CN' })
  await chinese.locator('#shopper-list', { hasText: '待付款' }).waitFor()
  await picture(chinese, 'shopper-zh')
  await chinese.context().close()

  const viewer = await openConsole(`#/orders?sale=${saleId}`, {
    name: 'vic',
    roles: ['viewer'],
    screen: phone,
    locale: 'zh-CN',
  })
  await viewer.locator(`#order-table [data-order="${sold[2]}"]`).waitFor()
  await soon(() => viewer.locator('#order-table input').count()).toBe(0)
  await expectAccessible(viewer, 'orders-viewer-phone')
})
