/** The first request of a sale finds its script in Redis (N8, S3). */

import { expect, it } from 'vitest'
import { findSale } from '../../../functions/table/sale/sales.ts'
import { reserve } from '../../../redis/buy/reserve.ts'
import { aPurchase, raw, saleIdOf } from '../../redis/support.ts'
import { useRedis } from '../../redis/test-store.ts'
import { world } from '../../world/world.ts'

const server = useRedis()

it('calls the script of a warmed sale by its hash alone, although Redis had forgotten it (N8, S3)', async () => {
  const rig = await world({ redis: server })
  await raw(server, 'SCRIPT', 'FLUSH')
  await rig.create()
  expect(await rig.act('warm')).toMatchObject({ status: 200 })
  const { sale } = (await findSale(rig.table, saleIdOf('phone'))) ?? expect.fail('there is no sale')
  const sent: string[] = []
  const watched = {
    exec: (command: Parameters<typeof server.exec>[0]) => {
      sent.push(command[0])
      return server.exec(command)
    },
  }
  await reserve(watched, aPurchase(sale, 1))
  expect(new Set(sent)).toEqual(new Set(['EVALSHA']))
})
