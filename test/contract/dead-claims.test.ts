/** The claims in real dead letters. */
import { SendMessageCommand } from '@aws-sdk/client-sqs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ClaimMessage } from '../../core/claim.ts'
import { sqsDeadClaims } from '../../functions/stores/dead-claims.sqs.ts'
import { aSale, shopperIdOf } from '../redis/support.ts'
import { startQueues, type TestQueues } from './cloud.ts'

let queues: TestQueues
beforeEach(async () => {
  queues = await startQueues()
})
afterEach(() => queues.stop())

const { saleId } = aSale()
const aClaim = (packet: number): ClaimMessage => ({
  ...{ saleId, shopperId: shopperIdOf(packet), packet, amount: 7, currency: 'CNY' },
  ...{ claimedAt: 1000, requestId: 'request' },
})

async function bury(MessageBody: string): Promise<void> {
  await queues.sdk.send(new SendMessageCommand({ QueueUrl: queues.deadLettersUrl, MessageBody }))
}

describe('the claims among the dead letters', () => {
  it('are all found, and other messages are left out (I2, O7)', async () => {
    const dead = sqsDeadClaims(queues.sqs, queues)
    expect(await dead.claims()).toEqual([])
    const claims = Array.from({ length: 12 }, (_, packet) => aClaim(packet))
    for (const claim of claims) await bury(JSON.stringify(claim))
    await bury('nonsense')
    const found = await dead.claims()
    expect(found?.toSorted((a, b) => a.packet - b.packet)).toEqual(claims)
  })
})
