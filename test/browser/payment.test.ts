import { describe, expect, it } from 'vitest'
import { complaintsOf, desktop } from './browser.ts'
import { berlin, buyersOf, delivery, fill, focused, namesOf } from './buyer.ts'
import { soon, textOf } from './reads.ts'
import { openShop } from './shop.ts'
import { buyOn, fastForwardTo, says, showsStatus } from './shopper.ts'

const { stack, shopper } = await openShop()

/** A shopper on the page of their new order, which is written and waits for its money. */
const buyer = buyersOf(stack, shopper)

describe('an order', () => {
  it('is asked for its address before the payment, complains at the field, and comes back paid from the provider’s page (O8)', async () => {
    const { page } = await buyer('address-ann', { delivery })
    const wrong = complaintsOf(page)
    await textOf(page, '#pay').toBe('Add address, then pay')
    // One way to add it: none stands beside the button that asks for it.
    await soon(() => page.locator('#order-address button').count()).toBe(0)
    await page.click('#pay')
    await page.locator('#address').waitFor()
    await textOf(page, '#pay').toBe('Add address, then pay')
    await page.selectOption('#address [name=postalCountry]', 'DE')
    await soon(() => namesOf(page)).toEqual([
      ...['postalCountry', 'name', 'organization', 'addressLines.0', 'addressLines.1', 'addressLines.2'],
      ...['postalCode', 'locality', 'phone', 'email'],
    ])
    // The sign-in may have filled it in.
    await fill(page, { email: '' })
    await page.click('#address-save')
    await soon(() => page.locator('#address [aria-invalid=true]').count()).toBe(6)
    await focused(page, '#address [name=name]')

    await fill(page, { ...berlin, postalCode: '1011', phone: '+999 12345678', email: 'ann@' })
    await page.click('#address-save')
    // The marks of the fields that were missing go with the press, so the words of the shop are awaited.
    await textOf(page, '#field-phone-error').toBe(
      'Enter a phone number in Germany, or start it with + and its country code. For example: 01512 3456789',
    )
    expect(await page.locator('#address [aria-invalid=true]').count(), 'all wrong fields at once').toBe(3)
    const colourOf = (selector: string, property: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`)
    expect(await colourOf('#field-phone-error', 'color'), 'the sentence is as red as the field').toBe(
      await colourOf('#address [name=phone]', 'borderTopColor'),
    )
    await focused(page, '#address [name=postalCode]')
    await fill(page, berlin)
    await page.click('#address-save')
    await page.waitForURL(/\/local\/pay\//)
    // Nothing else makes the page of a paid order look again.
    let isPaid = false
    await page.route(/\/api\/(?:orders\/[^/]+|changes\?.*)$/, async (route) => {
      const response = await route.fetch()
      isPaid ||= (await response.text()).includes('"status":"paid"')
      await route.fulfill({ response })
    })
    let refused = 0
    await page.route('**/delivery', async (route) => {
      if (!isPaid || refused > 0) return route.continue()
      refused += 1
      await route.fulfill({ status: 503 })
    })
    await page.click('button[value=pay]')
    await page.waitForURL(/\/orders\/\?id=/)
    await fastForwardTo(page.locator('#order[data-status=paid]'))
    await soon(() => page.locator('#timeline li').count()).toBeGreaterThanOrEqual(4)
    await soon(() => page.locator('#pay').count()).toBe(0)
    await page.locator('#order-address address').waitFor()
    await soon(() => page.locator('#order-address address span').allTextContents()).toEqual([
      ...['Ann Schäfer', 'Torstraße 1', '10119 Berlin', 'Germany', '+493080615040'],
    ])
    expect(refused).toBe(1)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    // The refusals are logged by the browser; nothing else may be.
    expect(wrong.filter((line) => !/400|503/.test(line))).toEqual([])
  })

  it('that is cancelled is available to another shopper a moment later: the waiting page lights again (O9, G7, C8)', async () => {
    const { page, saleId } = await buyer('cancel-bea', {})
    const waiting = await shopper('cancel-cy', `/sales/${saleId}/`, { device: desktop })
    await fastForwardTo(waiting.locator('#main[data-phase=sold-out]'))

    // Escape keeps the order; only the answer in the dialog cancels it.
    await page.click('#give-back')
    await page.keyboard.press('Escape')
    await page.locator('#confirm').waitFor({ state: 'hidden' })
    await page.click('#give-back')
    await page.locator('#confirm-actions button:not(.button--plain)').click()
    await showsStatus(page, 'cancelled')

    await fastForwardTo(waiting.locator('#main[data-phase=open]'))
    await says(waiting, '#status', /Back in stock/)
    await buyOn(waiting)
    await showsStatus(waiting, 'awaiting-payment')
  })
})
