import { describe, expect, it } from 'vitest'
import { restKeeper } from '../../../static/client/sale/rest-keeper.ts'
import { tabStore } from '../shop-of-answers.ts'

describe('the rest of a button', () => {
  it('goes on after a reload, for its own sale only (C7)', () => {
    const store = tabStore()
    let now = 1_000_000
    const keeper = () => restKeeper(store, 'mug', () => now)
    keeper().take(10_000)
    now += 4000
    expect(keeper().leftMs()).toBe(6000)
    expect(restKeeper(store, 'lamp', () => now).leftMs()).toBe(0)
    now += 6001
    expect(keeper().leftMs()).toBe(0)
  })

  it('is never longer than the strictest wait, also when the device’s clock was set back', () => {
    const store = tabStore()
    restKeeper(store, 'mug', () => 9_000_000).take(10_000)
    expect(restKeeper(store, 'mug', () => 0).leftMs()).toBe(60_000)
  })
})
