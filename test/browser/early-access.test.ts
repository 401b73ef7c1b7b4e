/** Early access in a real browser: the list in the console, and what members, others and guests see of the sale. */
import type { BrowserContextOptions, Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { control, openSale } from '../journey/support.ts'
import { complaintsOf, desktop, phone } from './browser.ts'
import { consoleOf, holdBack, unfold } from './console.ts'
import { openShop } from './shop.ts'
import { faultsOf, newVisitor, picture, waitUntilLit } from './visitor.ts'

const { stack, browser } = await openShop()

const earlyAccess = { minutes: 30, minLevel: 3, list: 'on' }

const scenes = [
  {
    ...{ locale: 'en-GB', screen: desktop, colorScheme: 'light' as const },
    line: /^Members can buy now\. Everyone else in 29:\d\d\s*$/,
    guest: /Sign in to use early access/,
    fact: 'Level 3 and up, and invited members: 30 min before everyone else',
    wait: /^You can buy in 29:\d\d$/,
    status: 'Not your turn yet. The button lights up by itself.',
  },
  {
    ...{ locale: 'zh-CN', screen: phone, colorScheme: 'dark' as const },
    line: /^会员优先购进行中，其他用户还需等待 29:\d\d\s*$/,
    guest: /登录后可享优先购/,
    fact: '3 级及以上会员和受邀会员可提前 30 分钟购买',
    wait: /^29:\d\d 后可购买$/,
    status: '还未轮到您，到点后按钮会自动亮起。',
  },
]

type Screen = { screen: BrowserContextOptions; locale: string; colorScheme: 'light' | 'dark' }

/** The page of the sale for a shopper of that level, signed in if there is a name. */
async function pageOf(
  saleId: string,
  { screen, locale, colorScheme }: Screen,
  name?: string,
  level?: number,
) {
  const page = await newVisitor(browser, screen, { locale, colorScheme, reducedMotion: 'reduce' })
  if (name !== undefined) {
    const signedIn = await page.context().request.post(`${stack.url}/local/sign-in`, {
      data: { shopperId: name, ...(level !== undefined && { level }) },
      headers: { origin: stack.url },
    })
    expect(signedIn.status()).toBe(200)
  }
  await page.goto(`${stack.url}/sales/${saleId}/`)
  return page
}

const overflows = (page: Page) => page.locator('html').evaluate((html) => html.scrollWidth > html.clientWidth)

describe('early access', () => {
  it.each(scenes)(
    'is for members of the level and of the list, while others wait and guests sign in, in $locale (R6)',
    async ({ line, guest, fact, wait, status, ...scene }) => {
      const { saleId } = await openSale(stack, { earlyAccess })
      const names = ['invited', 'high', 'other'].map((name) => `${name}-${scene.locale.toLowerCase()}`)
      const [invited = '', high = '', other = ''] = names
      await control(stack, `/sales/${saleId}/early`, { shoppers: [invited] }, 'PUT')

      const stranger = await pageOf(saleId, scene)
      const wrong = [complaintsOf(stranger)]
      await stranger.locator('#early:not([hidden])').waitFor()
      await waitUntilLit(stranger)
      expect(await stranger.locator('#early').innerText()).toMatch(guest)
      expect(await stranger.locator('dl.facts').innerText()).toContain(fact)
      expect(await faultsOf(stranger)).toEqual([])
      await picture(stranger, `early-guest-${scene.locale}`)
      await stranger.locator('#early-sign-in').click()
      await stranger.waitForURL(/sign-in|interaction|login/)

      const waiting = await pageOf(saleId, scene, other, 2)
      wrong.push(complaintsOf(waiting))
      await waitUntilLit(waiting)
      expect(await waiting.locator('#early').innerText()).toMatch(line)
      await picture(waiting, `early-open-${scene.locale}`)
      await waiting.click('#buy')
      await waiting.locator('#buy[data-state=resting]').waitFor()
      expect(await waiting.locator('#buy-label').textContent()).toMatch(wait)
      expect(await waiting.locator('#status').textContent()).toBe(status)
      expect(await faultsOf(waiting)).toEqual([])
      expect(await overflows(waiting)).toBe(false)
      await picture(waiting, `early-waiting-${scene.locale}`)

      for (const [name, level] of [
        [invited, 0],
        [high, 3],
      ] as const) {
        const member = await pageOf(saleId, scene, name, level)
        wrong.push(complaintsOf(member))
        await waitUntilLit(member)
        await member.click('#buy')
        await member.waitForURL(/\/orders\/\?id=/)
        await member.context().close()
      }
      // The browser reports the refused click as a failed load.
      expect(wrong.flat().filter((text) => !/425/.test(text))).toEqual([])
      await stranger.context().close()
      await waiting.context().close()
    },
  )

  it('frees the button of a shopper who waits for its end when a marketer removes it (R6)', async () => {
    const { saleId } = await openSale(stack, { earlyAccess: { minutes: 30, minLevel: 3 } })
    const [scene] = scenes
    if (scene === undefined) throw new Error('there is a scene')
    const page = await pageOf(saleId, scene, 'patient', 2)
    await waitUntilLit(page)
    await page.click('#buy')
    await page.locator('#buy[data-state=resting]').waitFor()
    await control(stack, `/sales/${saleId}`, { earlyAccess: null }, 'PATCH')
    await waitUntilLit(page)
    await page.context().close()
  })

  it.each(scenes)(
    'has a list that is filled and emptied by a file in the console, in $locale',
    async (scene) => {
      const { locale, screen } = scene
      const { saleId } = await openSale(stack, { earlyAccess })
      const page = await consoleOf(browser, stack, `#/sale/${saleId}`, {
        ...{ name: 'mia', roles: ['marketer'], screen, locale },
      })
      await page.emulateMedia({ colorScheme: scene.colorScheme })
      const wrong = complaintsOf(page)
      const panel = page.locator('#early-list')
      await unfold(page, 'early-list')
      await panel.locator('#early-count', { hasText: '0' }).waitFor()
      await panel.locator('#early-check-add').click()
      await page.locator('#field-early[aria-invalid=true]').waitFor()
      const choose = (text: string) =>
        page
          .locator('#field-early')
          .setInputFiles({ name: 'members.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
      await choose('shopperId,note\r\nann,x\r\nno id,x\r\nben,x\r\nann,x\r\n')
      await panel.locator('#early-check-add').click()
      await panel.locator('#early-ready').waitFor()
      expect(await panel.locator('tbody tr').count()).toBe(2)
      expect(await faultsOf(page)).toEqual([])
      expect(await overflows(page)).toBe(false)
      await panel.scrollIntoViewIfNeeded()
      await picture(page, `early-console-${locale}`)
      await panel.locator('#early-do').click()
      await panel.locator('#early-done').waitFor()
      await panel.locator('#early-count', { hasText: '2' }).waitFor()
      await choose('shopperId\nann\n')
      await panel.locator('#early-check-remove').click()
      await panel.locator('#early-do').click()
      await panel.locator('#early-count', { hasText: '1' }).waitFor()
      expect(await control(stack, `/sales/${saleId}/early`)).toEqual({
        count: 1,
        shoppers: ['ben'],
        next: null,
      })
      expect(wrong).toEqual([])
      await page.context().close()
    },
  )

  it('announces nothing of its list in the next view', async () => {
    const { saleId } = await openSale(stack, { earlyAccess })
    const page = await consoleOf(browser, stack, `#/sale/${saleId}`, {
      ...{ name: 'mia', roles: ['marketer'], screen: desktop },
    })
    await unfold(page, 'early-list')
    const buffer = Buffer.from('shopperId\nann\n')
    await page.setInputFiles('#field-early', { name: 'members.csv', mimeType: 'text/csv', buffer })
    const answer = await holdBack(page, 'PUT', /\/early$/)
    const asked = page.waitForRequest((request) => request.method() === 'PUT')
    await page.click('#early-check-add')
    await asked
    await page.click('[data-tab=audit]')
    await page.locator('#audit-day').waitFor()
    await answer()
    expect(await page.locator('#status').textContent()).toBe('')
    await page.context().close()
  })
})
