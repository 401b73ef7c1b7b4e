import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, expect, it } from 'vitest'
import type { LoadedFunction } from '../../../local/lambda/invoke.ts'
import { listen } from '../../../local/listen.ts'
import type { FunctionName } from '../../../system/functions.ts'
import { newFolder } from '../../folders.ts'
import { wrapLoad } from '../../recording-functions.ts'
import { localAws } from '../aws-settings.ts'

const table = await listen(
  createServer((_, response) => response.setHeader('content-type', 'application/x-amz-json-1.0').end('{}')),
  0,
)
afterAll(() => table.stop())

it('writes each call of the SDK once, under the function that is running', async () => {
  const folder = newFolder('record')
  const client = new DynamoDBClient(localAws(table.url))
  const read = (pk: string) =>
    client.send(new GetItemCommand({ TableName: 'sluice', Key: { pk: { S: pk }, sk: { S: 'SALE' } } }))
  const bare = async (name: FunctionName): Promise<LoadedFunction> => ({
    ...{ name, timeoutMs: 1000, invocations: 0 },
    handler: async (event) => {
      await read(String(event))
    },
  })
  const load = wrapLoad(bare, folder)
  const [reserve, wallet] = await Promise.all([load('reserve'), load('wallet')])
  const run = (fn: typeof reserve, pk: string) => fn.handler(pk, {} as Parameters<typeof fn.handler>[1])
  await Promise.all([run(reserve, 'SALE#a'), run(wallet, 'SALE#b'), run(reserve, 'SALE#c')])
  // Not a call of a function.
  await read('BRAND')
  const lines = readFileSync(join(folder, `${process.pid}.txt`), 'utf8')
    .trim()
    .split('\n')
  expect(lines.toSorted()).toEqual(['reserve dynamodb:GetItem table SALE#', 'wallet dynamodb:GetItem table SALE#'])
})
