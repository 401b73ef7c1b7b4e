/** The line that leads to the wallet, and says what is in it or on its way there. */
import type { Money } from '../../../core/money.ts'
import { byId, setText } from '../lib/dom.ts'
import type { Voice } from '../lib/voice.ts'
import type { RainKey } from './rain-news.ts'

/**
 * `balance` is undefined while the page has not looked; `onItsWay` is a packet that is not in it
 * yet.
 */
type WalletSeen = { balance: Money | undefined; onItsWay: Money | undefined }

/** The line of the page; draws only what changed. */
export function walletLine(voice: Voice<RainKey>) {
  const place = byId('purse')
  const words = byId('purse-words')
  const sum = byId('purse-amount')

  const money = ({ amount, currency }: Money) => voice.money(amount, currency)

  return ({ balance, onItsWay }: WalletSeen): void => {
    place.dataset.state = onItsWay === undefined ? 'still' : 'on-its-way'
    if (onItsWay !== undefined) {
      setText(words, voice.t('purse.onItsWay'))
      setText(sum, `+${money(onItsWay)}`)
    } else {
      setText(words, voice.t(balance === undefined ? 'purse.link' : 'purse.holds'))
      setText(sum, balance === undefined ? '' : money(balance))
    }
  }
}
