import { describe, expect, it } from 'vitest'
import { playFaultyReceiver } from './faulty-receiver.ts'

describe('10,000 orders and a faulty receiver', () => {
  it('each event is delivered, in the order of its order, and none is lost', async () => {
    const rig = await playFaultyReceiver(20_261_126, 10_000)
    expect(rig.telemetry.counted('EventsSent')).toBeGreaterThanOrEqual(30_000)
  }, 600_000)
})
