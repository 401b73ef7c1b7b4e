/** What the page says of the last withdrawal, until the wallet says something newer. */
import type { PayoutState } from '../../../core/packets/statement.ts'

const keys = {
  requested: 'wallet.withdrawn.requested',
  paid: 'wallet.withdrawn.paid',
  refused: 'wallet.withdrawn.refused',
  failed: 'wallet.withdrawFailed',
  unknown: 'wallet.withdrawUnknown',
} as const

/** `unknown`: no answer came, or not a definite one, so the payout may be recorded all the same. */
type Withdrawal = PayoutState | 'failed' | 'unknown'

/** The news. Wallets are texts, which are equal for equal wallets. */
export function withdrawalNews() {
  let news: { about: Withdrawal; wallet: string | undefined } | undefined

  return {
    /** The key of its words. */
    key: () => news && keys[news.about],
    /** An answer, or its absence, to a press at which the page showed the wallet `before`. */
    take(about: Withdrawal, before: string): void {
      news = { about, wallet: about === 'unknown' ? before : undefined }
    },
    /**
     * A look at the wallet begins; answers with what takes the wallet that it found, and whether it
     * was the `last` for now. The first look after an answer finds the wallet that belongs to it, a
     * look that had begun before may not.
     */
    look(): (wallet: string, last: boolean) => void {
      const begun = news
      return (wallet, last) => {
        if (news === undefined || news !== begun) return
        const isOver = (news.wallet ?? wallet) !== wallet || (news.about === 'unknown' && last)
        if (isOver) news = undefined
        else news.wallet = wallet
      }
    },
  }
}
