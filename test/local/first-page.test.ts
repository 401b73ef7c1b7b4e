import { describe, expect, it } from 'vitest'
import type { OriginRequest } from '../../local/origin.ts'
import { firstPage } from '../../local/stack.ts'

describe('the first page', () => {
  it('is waited for until the bucket has it', async () => {
    const asked: OriginRequest[] = []
    const send = async (request: OriginRequest) => {
      asked.push(request)
      return { status: asked.length < 3 ? 404 : 200, headers: {}, body: Buffer.alloc(0) }
    }
    await firstPage({ send }, '/site/index.html')
    expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual(
      Array.from({ length: 3 }, () => 'HEAD /site/index.html'),
    )
  })
})
