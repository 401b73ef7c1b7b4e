/** The description of the API: each operation with all that it takes and answers, and examples that are valid. */
import { describe, expect, it } from 'vitest'
import { type OperationName, operations } from '../../../core/api/operations.ts'
import { outcomes } from '../../../core/outcome.ts'
import { createExchangeChecker, type Exchange } from '../../../proof/described-api.ts'
import { answerExamples, bodyExamples, problemExample } from '../../../static/api/examples.ts'
import { describeApi, pathOf } from '../../../static/api/openapi.ts'

const api = describeApi('1.2.3')
const read = createExchangeChecker(api)
const faultsIn = (exchange: Exchange) => read(exchange).faults
const names = Object.keys(operations) as OperationName[]

const samples: Readonly<Record<string, string>> = {
  ...{ saleId: 'stoneware-mug', orderId: 'stoneware-mug-k7m2qx4c5dn6r3tj5vbhwzyeaf' },
  ...{
    uploadId: '0123456789abcdef0123456789abcdef',
    name: 'shop',
    kind: 'shopper',
    value: 'ann',
    code: 'ABCDEFGHJKMNPQRSTVWX',
  },
}

const exchangeOf = (name: OperationName, status: number, mediaType: string, answer: unknown) => ({
  ...{ method: operations[name].method, status, mediaType },
  path: operations[name].path.replace(/:(\w+)/g, (_, part: string) => samples[part] ?? ''),
  sent: operations[name].body && JSON.stringify(bodyExamples[name] ?? {}),
  answered: mediaType.endsWith('json') ? JSON.stringify(answer) : String(answer ?? ''),
})

describe('the description of the API', () => {
  it('has each operation once, by its name in the table', () => {
    const described = Object.values(api.paths).flatMap((methods) => Object.values(methods))
    expect(described.map(({ operationId }) => operationId).toSorted()).toEqual(
      [...names, 'getPointer', 'getCountdown'].toSorted(),
    )
  })

  it.each(names)('has valid examples of what %s takes and answers', (name) => {
    const { status = 200, media = 'application/json' } = operations[name]
    if (media !== 'text/html') expect(answerExamples[name]).toBeDefined()
    expect(faultsIn(exchangeOf(name, status, media, answerExamples[name]))).toEqual([])
  })

  it.each(names)('has each problem of %s with its status and an example', (name) => {
    for (const code of operations[name].problems) {
      const { status } = outcomes[code]
      const exchange = exchangeOf(name, status, 'application/problem+json', problemExample(code))
      expect(faultsIn(exchange), code).toEqual([])
    }
  })

  it('finds a member, a status, a code and a call that it does not have', () => {
    const order = { ...(answerExamples.getOrder as object), colour: 'brown' }
    expect(faultsIn(exchangeOf('getOrder', 200, 'application/json', order))).toMatchObject([
      expect.stringContaining('colour'),
    ])
    const { payBy, ...withoutDeadline } = answerExamples.getOrder as { payBy: number }
    expect(faultsIn(exchangeOf('getOrder', 200, 'application/json', withoutDeadline))).toMatchObject([
      expect.stringContaining('payBy'),
    ])
    expect(faultsIn(exchangeOf('getOrder', 418, 'application/json', order))).toMatchObject([
      expect.stringContaining('the status 418 is not described'),
    ])
    const soldOut = { ...problemExample('conflict'), code: 'sold-out' }
    expect(faultsIn(exchangeOf('cancel', 409, 'application/problem+json', soldOut))).not.toEqual([])
    const exchange = { ...exchangeOf('getOrder', 200, 'application/json', order), path: '/api/colours' }
    expect(faultsIn(exchange)).toEqual(['the call is not described'])
  })

  it('says who may call, and which path parameters there are', () => {
    const { start } = operations
    expect(api.paths[pathOf(start)]?.post).toMatchObject({
      description: expect.stringContaining('`marketer`'),
      security: [{ session: [] }, { cookie: [] }],
      parameters: [{ name: 'saleId', in: 'path', required: true }],
    })
  })
})
