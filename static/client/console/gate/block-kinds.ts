/** The texts about each kind of block. */
import type { BlockKind } from '../../../../core/gate/block.ts'

/** `name` of the kind, what is `wrong` with a value, and what a block and its end do. */
export const blockTexts = {
  ip: { name: 'block.address', wrong: 'block.wrongAddress', block: 'effect.block', unblock: 'effect.unblock' },
  shopper: {
    name: 'block.shopper',
    wrong: 'block.wrongShopper',
    block: 'effect.blockShopper',
    unblock: 'effect.unblockShopper',
  },
  'session-key': {
    name: 'block.sessionKey',
    wrong: 'block.wrongSessionKey',
    block: 'effect.blockSessionKey',
    unblock: 'effect.unblockKey',
  },
  'shop-key': {
    name: 'block.shopKey',
    wrong: 'block.wrongShopKey',
    block: 'effect.blockShopKey',
    unblock: 'effect.unblockKey',
  },
} as const satisfies Record<BlockKind, Record<'name' | 'wrong' | 'block' | 'unblock', string>>
