/**
 * The settings of the whole shop in a real browser: the brand, which shoppers see on every page. The shop is this
 * file's own.
 */
import type { BrowserContextOptions, Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { control, definition, openSale } from '../journey/support.ts'
import { complaintsOf, desktop, phone } from './browser.ts'
import { choose, consoleOf, enter, holdBack, mia, pressAndChoose, previewIn, signedIn } from './console.ts'
import { keyboardOf } from './keyboard.ts'
import { inputOf, soon, switchLanguage, textOf } from './reads.ts'
import { openOwnShop } from './shop.ts'
import { expectNoComplaints, faultsOf, newVisitor } from './visitor.ts'

const { stack, browser } = await openOwnShop()

const open = (path: string, change = {}) => consoleOf(browser, stack, path, { ...mia, ...change })

const create = (saleId: string, title: string) =>
  control(
    stack,
    '/sales',
    definition({
      ...{ saleId, title, description: 'Thrown by hand.', stock: 12, price: 4200, currency: 'EUR' },
      ...{ startsAt: Date.now() + 3_600_000, endsAt: Date.now() + 7_200_000 },
    }),
  )

/** A wide picture, drawn by the browser: a file as a marketer would choose it. */
async function chooseLogo(page: Page): Promise<void> {
  const address = await page.evaluate(`(() => {
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: 600, height: 150 })
    const pen = canvas.getContext('2d')
    pen.fillStyle = '#0b5a8a'
    pen.fillRect(0, 0, 600, 150)
    return canvas.toDataURL('image/png')
  })()`)
  const buffer = Buffer.from(String(address).split(',')[1] ?? '', 'base64')
  await page.setInputFiles('#logo-file', { name: 'logo.png', mimeType: 'image/png', buffer })
}

const colourOf = (page: Page, selector: string) =>
  page.evaluate(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`)

describe('the brand', () => {
  it('keeps a logo that is uploaded while the language of its form changes', async () => {
    const page = await open('#/brand')
    await page.fill('#field-brand-name', 'Lantern')
    const answer = await holdBack(page, 'POST', /\/api\/control\/pictures\/[^/]+$/)
    await chooseLogo(page)
    await page.locator('#logo-note:not(:empty)').waitFor()
    await switchLanguage(page)
    await page.locator('h1', { hasText: '品牌' }).waitFor()
    await page.click('#brand-save')
    await page.locator('#brand-save[aria-busy=true]').waitFor()
    await answer()
    // The press waited for the logo, and asks now.
    await page.locator('#confirm[open]').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.brand-preview img[src^="/pictures/"]').first().waitFor()
    await page.locator('#logo-remove:visible').waitFor()
    await textOf(page, '#logo-note').toBe('')
  })

  it('is set by a marketer, who sees its contrast while typing, and shown on every page', async () => {
    const { saleId } = await openSale(stack, { stock: 5 })
    const page = await open('#/')
    expectNoComplaints(page)
    await page.click('[data-tab=brand]')
    await enter(page, { 'brand-name': 'Lantern & Co.', 'brand-colours-light': '#ffdd00' })
    await inputOf(page, '#pick-light').toBe('#ffdd00')
    await page.fill('#pick-dark', '#7cc4f0')
    await inputOf(page, '#field-brand-colours-dark').toBe('#7cc4f0')
    await textOf(page, '[data-contrast=light]').toMatch(/^Contrast 1\.\d\d:1 is too low: at least 4\.5:1$/)
    await page.click('#brand-save')
    await page.locator('#field-brand-colours-light[aria-invalid=true]').waitFor()
    await page.fill('#field-brand-colours-light', '#0b5a8a')
    await page.locator('#field-brand-colours-light[aria-invalid=false]').waitFor()
    await textOf(page, '[data-contrast=light]').toMatch(/^Contrast \d\.\d\d:1$/)
    await page.click('#link-add')
    await page.fill('#field-brand-links-0-label-en:focus', 'Privacy')
    await page.fill('#field-brand-links-0-label-zh-CN', '隐私政策')
    await page.click('#brand-save')
    await page.locator('#field-brand-links-0-href[aria-invalid=true]:focus').waitFor()
    await page.fill('#field-brand-links-0-href', 'https://lantern.example/privacy')
    await page.fill('#field-brand-support', 'help@lantern.example')
    await chooseLogo(page)
    await page.locator('.brand-preview img').first().waitFor()
    await page.click('#brand-save')
    const effects = page.locator('#confirm-text')
    await effects.getByText('Name of the shop: (empty) → Lantern & Co.').waitFor()
    await effects.getByText('Legal links: (empty) → Privacy · 隐私政策 · https://lantern.example/privacy').waitFor()
    await effects.getByText('The logo changes.').waitFor()
    await choose(page, 'save')
    await page.locator('#status', { hasText: 'Saved.' }).waitFor()

    // The preview of a sale that is being written has it too.
    await page.click('[data-tab=sales]')
    await page.click('#new-sale')
    const preview = previewIn(page)
    await preview.locator('.wordmark img[alt="Lantern & Co."]').waitFor()
    await page.locator('label:has(#preview-state-open)').click()
    await preview.locator('#buy[data-state=ready]').waitFor()
    const painted = () =>
      page.evaluate(`(({ contentDocument: { body } }) =>
        getComputedStyle(body.querySelector('#buy')).backgroundColor)(document.querySelector('#preview-frame'))`)
    await soon(painted).toBe('rgb(11, 90, 138)')
    await page.context().close()

    const paths = ['/', '/orders/', '/wallet/', `/sales/${saleId}/`]
    await seesIt(paths, 'en-GB', { ...desktop, colorScheme: 'light' }, 'Privacy')
    await seesIt(paths.slice(-1), 'zh-CN', { ...phone, colorScheme: 'dark' }, '隐私政策')
  })

  it('asks nothing of who leaves while it is saved, and then opens the next view', async () => {
    const page = await open('#/brand')
    await page.fill('#field-brand-tagline-zh-CN', '点亮生活')
    await page.selectOption('#field-brand-languages', 'zh-CN')
    await page.uncheck('#brand-offers-en')
    await inputOf(page, '#field-brand-tagline-zh-CN').toBe('点亮生活')
    const answer = await holdBack(page, 'PUT', /\/api\/control\/brand$/)
    await pressAndChoose(page, '#brand-save', 'save')
    await page.click('[data-tab=audit]')
    await answer()
    await page.locator('#audit-day').waitFor()
    expect([await page.locator('#brand-form').count(), await page.locator('#confirm[open]').count()]).toEqual([0, 0])
  })

  it('in one language offers shoppers no other: a reader of English gets it without a switch', async () => {
    const { saleId } = await openSale(stack, { stock: 5 })
    const page = await newVisitor(browser, phone, { locale: 'en-GB' })
    await page.goto(`${stack.url}/sales/${saleId}/`)
    await page.locator('html[lang=zh-CN]').waitFor()
    await page.locator('#buy', { hasText: '登录' }).waitFor()
    await soon(() => page.locator('#language').isVisible()).toBe(false)
  })
})

/** The brand as shoppers see it on these pages; the last one is that of an open sale. */
async function seesIt(
  paths: readonly string[],
  locale: string,
  screen: BrowserContextOptions,
  privacy: string,
): Promise<void> {
  const page = await newVisitor(browser, screen, { locale })
  expectNoComplaints(page)
  for (const path of paths) {
    await page.goto(stack.url + path)
    expect(await page.title(), path).toMatch(/ · Lantern & Co\.$/)
    const logo = page.locator('.wordmark img')
    await soon(() => logo.getAttribute('alt')).toBe('Lantern & Co.')
    expect(await page.evaluate(`document.querySelector('.wordmark img').naturalWidth`)).toBe(480)
    await soon(() => logo.boundingBox()).toMatchObject({ width: 144, height: 36 })
    await page.locator('.foot a', { hasText: privacy }).waitFor()
    await soon(() => page.locator('.foot a').last().getAttribute('href')).toBe('mailto:help@lantern.example')
    await soon(() => page.locator('body').innerText()).not.toMatch(/sluice/i)
  }
  await page.locator('#buy[aria-disabled="false"]').waitFor()
  // The button lights up by a transition.
  const colour = screen.colorScheme === 'dark' ? 'rgb(124, 196, 240)' : 'rgb(11, 90, 138)'
  await soon(() => colourOf(page, '#buy')).toBe(colour)
  await page.context().close()
}

describe('the health of the system', () => {
  const stateOf = (page: Page, part: string, state: string) =>
    page.locator(`[data-part=${part}][data-state=${state}]`).waitFor()

  it('is read part by part: one that is killed goes from working to failing, and says what to do', async () => {
    await stack.runSchedule('canary', { url: stack.url })
    const page = await open('#/health')
    expectNoComplaints(page)
    await stateOf(page, 'stock', 'ok')
    await stateOf(page, 'canary', 'ok')
    await stateOf(page, 'pictures', 'unknown')
    await stack.setFault({ target: 'redis', mode: 'down' })
    await page.reload()
    await stateOf(page, 'stock', 'failing')
    await stateOf(page, 'canary', 'ok')
    const row = page.locator('[data-part=stock]')
    await row.locator('td', { hasText: 'No response from main.' }).waitFor()
    await row.locator('code', { hasText: 'docs/how-to/runbooks.md#unavailable' }).waitFor()
    await page.locator('#system-line', { hasText: 'Needs attention: Stock databases' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await stack.setFault(null)
  })

  it('is one sentence above every page, and shown to a viewer on a phone and in Chinese', async () => {
    const viewer = { name: 'vera', roles: ['viewer' as const], screen: phone, locale: 'zh-CN' }
    await create('calm-mug', 'Calm mug')
    const page = await open('#/sale/calm-mug', viewer)
    expectNoComplaints(page)
    await page.locator('#system-line', { hasText: /暂无故障报告。|需要处理/ }).waitFor()
    await page.click('#system-line')
    await stateOf(page, 'orders-queue', 'ok')
    expect(await faultsOf(page)).toEqual([])
  })
})

it('the activity log has one line for each change, which the keyboard unfolds', async () => {
  await create('plain-mug', 'Plain mug')
  const page = await open('#/audit')
  expectNoComplaints(page)
  const row = page.locator('tr', { hasText: 'plain-mug' }).first()
  const details = row.locator('details')
  await row.locator('summary', { hasText: /Plain mug and \d+ more/ }).waitFor()
  await soon(() => details.locator('li:visible').count()).toBe(0)
  const folded = (await row.boundingBox())?.height ?? 0
  expect(folded).toBeLessThan(110)
  await row.locator('summary').focus()
  await page.keyboard.press('Enter')
  await details.locator('li', { hasText: 'Thrown by hand.' }).waitFor()
  expect(await faultsOf(page)).toEqual([])
})

it.each([
  ['#/orders', /\/api\/control\/orders$/],
  ['#/orders/nobody', /\/api\/control\/orders\/find/],
  ['#/audit', /\/api\/control\/audit/],
  ['#/blocks', /\/api\/control\/blocklist/],
])('%s says that it reads, and after a failure offers to read again', async (path, call) => {
  const page = await signedIn(browser, stack, mia)
  let fail = () => {}
  const held = new Promise<void>((done) => {
    fail = done
  })
  await page.route(call, async (route) => {
    await held
    await route.abort()
  })
  await page.goto(`${stack.url}/console/${path}`)
  await page.getByText('Loading…').waitFor()
  fail()
  const again = page.locator('[data-again]')
  await again.waitFor()
  await page.unroute(call)
  await again.click()
  await again.waitFor({ state: 'detached' })
  await page.getByText('Loading…').waitFor({ state: 'detached' })
})

describe('the keyboard', () => {
  it('skips header and tabs with two keys, and stays at the view it is in', async () => {
    const page = await open('#/brand')
    await page.locator('#field-brand-name').waitFor()
    await page.keyboard.press('Tab')
    await soon(() => page.locator('.skip:focus').boundingBox()).toMatchObject({ x: 16, y: 16 })
    await page.keyboard.press('Enter')
    await page.locator('#view:focus').waitFor()
    await page.keyboard.press('Tab')
    await page.locator('#view :focus').waitFor()
    expect(new URL(page.url()).hash).toBe('#/brand')
  })

  it.each([
    ['a desktop in English', {}],
    ['a phone in Chinese', { screen: phone, locale: 'zh-CN' }],
  ])('leads from any view to the search of sales, and by it to a sale, on %s', async (_, change) => {
    const saleId = `found-kettle-${Object.keys(change).length}`
    await create(saleId, `Found kettle ${saleId}`)
    const page = await open('#/brand', change)
    const wrong = complaintsOf(page)
    const keys = keyboardOf(page)
    await keys.press('[data-tab=sales]')
    await keys.type('#search-find', saleId)
    await soon(() => page.url()).toContain(saleId)
    await keys.press(`#view a[href="#/sale/${saleId}"]`)
    await page.locator('#actions').waitFor()
    await keys.keepsFocus('the search')
    expect([...keys.faults, ...wrong]).toEqual([])
  })
})
