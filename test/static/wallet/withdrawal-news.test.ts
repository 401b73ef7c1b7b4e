import { beforeEach, describe, expect, it } from 'vitest'
import { withdrawalNews } from '../../../static/client/wallet/withdrawal-news.ts'

let news: ReturnType<typeof withdrawalNews>
const look = (wallet: string, last = true) => news.look()(wallet, last)

beforeEach(() => {
  news = withdrawalNews()
})

describe('the news of a withdrawal (N5)', () => {
  it('stays while the wallet stays as it was after the withdrawal, and no longer', () => {
    look('full')
    expect(news.key()).toBeUndefined()
    news.take('requested', 'full')
    look('on its way')
    look('on its way')
    expect(news.key()).toBe('wallet.withdrawn.requested')
    look('paid')
    expect(news.key()).toBeUndefined()
  })

  it('is not compared with the wallet of a look that had begun before it', () => {
    const found = news.look()
    news.take('paid', 'full')
    found('full', true)
    look('empty')
    expect(news.key()).toBe('wallet.withdrawn.paid')
  })

  it('gives no verdict without an answer: the looks that follow decide', () => {
    news.take('unknown', 'full')
    look('full', false)
    expect(news.key()).toBe('wallet.withdrawUnknown')
    look('on its way', false)
    expect(news.key()).toBeUndefined()
    news.take('unknown', 'full')
    look('full', false)
    look('full', true)
    expect(news.key()).toBeUndefined()
  })

  it('is that of the last one', () => {
    news.take('refused', 'full')
    look('returned')
    news.take('failed', 'returned')
    look('returned')
    expect(news.key()).toBe('wallet.withdrawFailed')
  })
})
