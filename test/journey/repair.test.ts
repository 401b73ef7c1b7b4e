/**
 * A marketer's change that is saved while Redis is unavailable, and the scheduled repair that
 * applies it (I6).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Stack, startStack } from '../../local/stack.ts'
import { buy, control, eventually, openSale } from './support.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack({ demo: false, scheduled: false })
})
afterAll(() => stack.stop())

type Live = { phase: string; inStep: boolean }

describe('the scheduled repair', () => {
  it('closes a sale for all shoppers that was closed while Redis was unavailable (I6)', async () => {
    const { saleId, startToken } = await openSale(stack)
    const live = () => control<Live>(stack, `/sales/${saleId}/live`)
    await stack.setFault({ target: 'redis', mode: 'down', forMs: 60_000 })
    await expect(control(stack, `/sales/${saleId}/close`, {})).rejects.toThrow()
    expect(await live()).toMatchObject({ phase: 'ended', inStep: false })
    await stack.setFault(null)
    expect(await live()).toMatchObject({ phase: 'ended', inStep: false })
    expect(await stack.runSchedule('reconcile', {})).toMatchObject({ repaired: 1 })
    expect(await live()).toMatchObject({ phase: 'ended', inStep: true })
    const token = await stack.token('late-comer')
    const code = await eventually(async () => {
      const answer = await buy(stack, saleId, { token, startToken })
      return answer.body.code === 'ended' ? answer.body.code : undefined
    })
    expect(code).toBe('ended')
    expect(await stack.runSchedule('reconcile', {})).toMatchObject({ repaired: 0 })
  })
})
