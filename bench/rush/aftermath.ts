/** What everybody is told once the crowd has gone and nothing should be on its way any more. */

export type Aftermath = {
  /** What its own winner asked for and was not shown. */
  unseen: string[]
  queued: number
  deadLetters: number
  /** What the public pointer says is left, and what a refused latecomer is told; absent when nobody was refused. */
  shownLeft: number
  refusedWithLeft: number | undefined
}
