/** What shoppers see once the load is over and nothing is in progress. */

export type Aftermath = {
  /** Prizes that their winner asked for and was not shown. */
  unseen: string[]
  queued: number
  deadLetters: number
  /**
   * The number left by the public pointer, and in the answer to a late shopper; the latter only for
   * a sale that sells out.
   */
  shownLeft: number
  refusedWithLeft: number | undefined
  /** Where the console's demand differs from the answers; absent where these do not tell. */
  miscounted?: readonly string[] | undefined
}
