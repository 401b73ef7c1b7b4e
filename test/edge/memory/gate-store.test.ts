import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { redisGateStore } from '../../../edge/memory/gate-store.ts'
import { listen } from '../../../local/listen.ts'
import { saleId, startOfTests } from '../support.ts'

it('sends a first admission over the connection of the read before it', async () => {
  let connections = 0
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    for await (const chunk of request) requests.push(String(JSON.parse(String(chunk))[0][0]))
    response.end(JSON.stringify([requests.length === 1 ? { result: Array(12).fill(null) } : { error: 'later' }]))
  }).on('connection', () => {
    connections += 1
  })
  const service = await listen(server, 0)
  try {
    const store = redisGateStore({ gateUrl: service.url, readerToken: 'reader', writerToken: 'writer' })
    expect(await store.read(saleId)).toBeUndefined()
    await expect(store.admit(saleId, { now: startOfTests, waiting: 1 })).rejects.toThrow('admit')
    expect(requests).toEqual(['HMGET', 'EVAL'])
    expect(connections).toBe(1)
  } finally {
    await service.stop()
  }
})
